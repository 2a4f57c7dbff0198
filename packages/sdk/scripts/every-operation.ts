import { apiFlowOperations } from '@rubrica/contracts/rest/api-flow';
import type { Operation } from '@rubrica/contracts/rest/operation';
import { operations } from '@rubrica/contracts/rest/operations';
import { regularOperations } from '@rubrica/contracts/rest/regular';
import { sandboxOperations } from '@rubrica/contracts/rest/sandbox';
import { simplifiedOperations } from '@rubrica/contracts/rest/simplified';
import { transactionalOperations } from '@rubrica/contracts/rest/transactional';

/** Operations that a partner calls by name. The client fetches the token itself, from an address that it knows. */
const { token: _token, serverMetadata: _metadata, ...named } = operations;

export const everyOperation = {
  ...named,
  ...sandboxOperations,
  ...regularOperations,
  ...transactionalOperations,
  ...simplifiedOperations,
  ...apiFlowOperations,
} as const satisfies Record<string, Operation>;

export type EveryOperation = typeof everyOperation;
