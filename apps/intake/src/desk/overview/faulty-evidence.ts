import type { FaultyEvidence } from '@rubrica/contracts/operators/overview';
import { statement } from '@rubrica/database/statement';

const maxListed = 20;

/** Finds evidence that the scrub reported and nobody has repaired yet, latest first. */
export const findFaultyEvidence = statement<object, FaultyEvidence>({
  name: 'find-faulty-evidence',
  sql: `
select evidence.request_id as "requestId", evidence_id as "evidenceId", outcome
from (select * from evidence_fault order by found_at desc limit ${maxListed}) as fault
join evidence on evidence.id = evidence_id order by found_at desc`,
});
