import type { Logger } from '@rubrica/process';
import { type PeriodicJob, startPeriodicJob } from '../../../base/periodic-job.ts';
import { type ReminderDeps, remindSubscribers } from './remind-subscribers.ts';

/** Interval of the job. It is short, so that many due reminders go in small groups. */
const everyMs = 1_000;

/** Sends due reminders every second, until stopped. */
export function startReminding(
  deps: ReminderDeps & { readonly logger: Pick<Logger, 'info' | 'error'> },
): PeriodicJob {
  const { logger } = deps;
  const run = async () => {
    const count = await remindSubscribers(deps);
    if (count > 0) logger.info({ action: 'remind-subscribers', count }, 'subscribers reminded');
  };
  return startPeriodicJob(run, { everyMs, what: 'subscriber reminders', logger });
}
