import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { deleteExpired } from '../../base/sweeper-task.ts';

/**
 * Time for which an ended session is kept: a refresh token presented after the end is still recognised and
 * audited.
 */
const keptMs = 7 * DAY_MS;

export const forgetSessions = deleteExpired({
  name: 'forget-operator-sessions',
  table: 'operator_session',
  key: 'id',
  at: 'expires_at',
  keptMs,
});
