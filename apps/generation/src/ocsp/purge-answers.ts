import type { SweeperTask } from '@rubrica/database/sweeper';

const batchRows = 2_000;

/** Deletes expired answers: most certificates are checked once, when a document is signed. */
export const purgeAnswers: SweeperTask = {
  name: 'purge-ocsp-answers',
  text: `
    delete from ocsp_answer where (certificate_id, hash_algorithm) in (
      select certificate_id, hash_algorithm from ocsp_answer where next_update < now() limit ${batchRows}
    ) returning 1`,
  batchRows,
};
