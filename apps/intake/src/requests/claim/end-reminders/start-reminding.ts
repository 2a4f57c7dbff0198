import type { Logger } from '@rubrica/process';
import { type Rounds, startRounds } from '../../../base/rounds.ts';
import { type ReminderDeps, remindSubscribers } from './remind-subscribers.ts';

/** Often, so that many that are due at once go in small groups. */
const everyMs = 1_000;

/** Sends the reminders that are due, every second, until stopped. */
export function startReminding(
  deps: ReminderDeps & { readonly logger: Pick<Logger, 'info' | 'error'> },
): Rounds {
  const { logger } = deps;
  const round = async () => {
    const count = await remindSubscribers(deps);
    if (count > 0) logger.info({ action: 'remind-subscribers', count }, 'reminded');
  };
  return startRounds(round, { everyMs, what: 'reminding subscribers', logger });
}
