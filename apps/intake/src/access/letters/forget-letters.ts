import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { forgetExpired } from '../../base/sweeper-task.ts';

/** The notifier may still ask for one, and is told that it is overtaken. */
const keptMs = 7 * DAY_MS;

export const forgetLetters = forgetExpired({
  name: 'forget-operator-letters',
  table: 'operator_letter',
  key: 'id',
  at: 'good_until',
  keptMs,
});
