import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { deleteExpired } from '../../base/sweeper-task.ts';

/**
 * Time for which an ended letter is kept: the notifier may still ask for it and learns that it was overtaken.
 */
const keptMs = 7 * DAY_MS;

export const forgetLetters = deleteExpired({
  name: 'forget-operator-letters',
  table: 'operator_letter',
  key: 'id',
  at: 'good_until',
  keptMs,
});
