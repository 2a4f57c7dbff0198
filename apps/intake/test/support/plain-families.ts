import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { uuidv7 } from '@rubrica/process';
import { makeSimplifiedRequest, makeTransactionalRequest } from '@rubrica/testkit';

type Fields = Record<string, string | undefined>;

function registration(
  family: 'FT' | 'FS',
  fields: object,
  rest: Partial<intakeContract.RegisterInput>,
): intakeContract.RegisterInput {
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
  rest: Partial<intakeContract.RegisterInput> = {},
): intakeContract.RegisterInput {
  return registration('FT', { ...makeTransactionalRequest(), ...overrides }, rest);
}

/** As the gateway registers a simplified request. */
export function makeSimplified(
  overrides: Fields = {},
  rest: Partial<intakeContract.RegisterInput> = {},
): intakeContract.RegisterInput {
  return registration('FS', { ...makeSimplifiedRequest(), ...overrides }, rest);
}
