import { statuses } from '@rubrica/contracts/shared/enumerations';
import { isTerminal } from '../state-machine.ts';

/** SQL: the states of a request that something can become of, as a list of literals. */
export const openStatuses = statuses
  .filter((status) => !isTerminal(status))
  .map((status) => `'${status}'`)
  .join(', ');
