import type { SweeperTask } from '@rubrica/database';

const batchRows = 2_000;

/** Removes answers whose time is over: most certificates are asked about once, when something is signed. */
export const purgeAnswers: SweeperTask = {
  name: 'purge-ocsp-answers',
  text: `
    delete from ocsp_answer where (certificate_id, hash_algorithm) in (
      select certificate_id, hash_algorithm from ocsp_answer where next_update < now() limit ${batchRows}
    ) returning 1`,
  batchRows,
};
