import { statuses } from '@rubrica/contracts/shared/enumerations';
import { isTerminal } from '../state-machine.ts';

/** SQL list of the literals of states that are not terminal. */
export const openStatuses = statuses
  .filter((status) => !isTerminal(status))
  .map((status) => `'${status}'`)
  .join(', ');
