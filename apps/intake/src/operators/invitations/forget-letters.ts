import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { type SweeperTask, statement } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import { sweeperTask } from '../../sweeper-task.ts';

const batchRows = 500;
/** The notifier may still ask for one, and is told that it is overtaken. */
const keptMs = 7 * DAY_MS;

const forget = statement<{ readonly before: Date }>({
  name: 'forget-operator-letters',
  sql: `delete from operator_letter where id in (
    select id from operator_letter where good_until <= :before order by good_until limit ${batchRows}
    for update skip locked
  ) returning 1`,
});

export function forgetLetters(clock: Clock): SweeperTask {
  return sweeperTask(forget, {
    batchRows,
    params: () => ({ before: new Date(clock().getTime() - keptMs) }),
  });
}
