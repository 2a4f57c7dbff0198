import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { deleteExpired } from '../../base/sweeper-task.ts';

/**
 * Deletes codes that no longer count: those of the last day do, with their wrong tries. The timeline records
 * for good when a code was sent and used.
 */
export const forgetCodes = deleteExpired({
  name: 'forget-claim-codes',
  table: 'claim_code',
  key: 'id',
  at: 'sent_at',
  keptMs: 2 * DAY_MS,
});
