import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { forgetExpired } from '../../base/sweeper-task.ts';

/** A refresh token that is shown after the end is still known, and written down. */
const keptMs = 7 * DAY_MS;

export const forgetSessions = forgetExpired({
  name: 'forget-operator-sessions',
  table: 'operator_session',
  key: 'id',
  at: 'expires_at',
  keptMs,
});
