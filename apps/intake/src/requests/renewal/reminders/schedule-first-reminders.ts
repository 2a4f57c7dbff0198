import { statement } from '@rubrica/database/statement';
import type { SweeperTask } from '@rubrica/database/sweeper';
import type { Clock } from '@rubrica/process/time';
import { sweeperTask } from '../../../base/sweeper-task.ts';
import { reminderDays } from '../../request/reminder-rule.ts';

const batchRows = 200;
const aheadDays = reminderDays[0] + 1;

const date = statement<{ readonly now: Date }>({
  name: 'date-reminders',
  sql: `
update request set next_reminder_at = greatest(:now::timestamptz, not_after - make_interval(hours => 24 * ${reminderDays[0]}))
where id in (
  select id from request
  where next_reminder_at is null and status = 'GENERATED'
    and not_after > :now and not_after <= :now::timestamptz + make_interval(hours => 24 * ${aheadDays})
  order by not_after limit ${batchRows} for update skip locked
) returning 1`,
});

/**
 * Schedules reminders for certificates of a release that knew none, as their end comes near: never all at
 * once, and none for the past. The run that processes such a row computes the exact times.
 */
export function scheduleFirstReminders(clock: Clock): SweeperTask {
  return sweeperTask(date, { batchRows, params: () => ({ now: clock() }) });
}
