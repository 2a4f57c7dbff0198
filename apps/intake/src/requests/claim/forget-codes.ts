import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { forgetExpired } from '../../base/sweeper-task.ts';

/** Codes and wrong tries of the last day are counted; the timeline says for good when a code was sent and used. */
export const forgetCodes = forgetExpired({
  name: 'forget-claim-codes',
  table: 'claim_code',
  key: 'id',
  at: 'sent_at',
  keptMs: 2 * DAY_MS,
});
