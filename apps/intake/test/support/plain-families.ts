import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { uuidv7 } from '@rubrica/process/time';
import { makeSimplifiedRequest, makeTransactionalRequest } from '@rubrica/testkit';

type Fields = Record<string, string | undefined>;

function registration(
  family: 'FT' | 'FS',
  fields: object,
  rest: Partial<requestsContract.RegisterInput>,
): requestsContract.RegisterInput {
  return {
    requestId: uuidv7(),
    family,
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    faults: [],
    files: [],
    ...rest,
  };
}

/** As the gateway registers a transactional request, without a webhook unless `callbackUrl` is given. */
export function makeTransactional(
  overrides: Fields = {},
  rest: Partial<requestsContract.RegisterInput> = {},
): requestsContract.RegisterInput {
  return registration('FT', { ...makeTransactionalRequest(), ...overrides }, rest);
}

/** As the gateway registers a simplified request. */
export function makeSimplified(
  overrides: Fields = {},
  rest: Partial<requestsContract.RegisterInput> = {},
): requestsContract.RegisterInput {
  return registration('FS', { ...makeSimplifiedRequest(), ...overrides }, rest);
}
