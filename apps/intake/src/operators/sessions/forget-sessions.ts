import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { type SweeperTask, statement } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import { sweeperTask } from '../../sweeper-task.ts';

const batchRows = 500;
/** A refresh token that is shown after the end is still known, and written down. */
const keptMs = 7 * DAY_MS;

const forget = statement<{ readonly before: Date }>({
  name: 'forget-operator-sessions',
  sql: `delete from operator_session where id in (
    select id from operator_session where expires_at <= :before order by expires_at limit ${batchRows}
    for update skip locked
  ) returning 1`,
});

export function forgetSessions(clock: Clock): SweeperTask {
  return sweeperTask(forget, {
    batchRows,
    params: () => ({ before: new Date(clock().getTime() - keptMs) }),
  });
}
