import {
  apiFlowOperations,
  type Operation,
  operations,
  regularOperations,
  simplifiedOperations,
  transactionalOperations,
} from '@rubrica/contracts';

/** What a partner calls by name; the token is fetched unasked. */
const { token: _token, ...named } = operations;

export const everyOperation = {
  ...named,
  ...regularOperations,
  ...transactionalOperations,
  ...simplifiedOperations,
  ...apiFlowOperations,
} as const satisfies Record<string, Operation>;

export type EveryOperation = typeof everyOperation;
