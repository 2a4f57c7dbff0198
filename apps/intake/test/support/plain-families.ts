import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { uuidv7 } from '@rubrica/process';
import { makeSimplifiedRequest, makeTransactionalRequest } from '@rubrica/testkit';

type Fields = Record<string, string | undefined>;

const registration = (
  family: 'FT' | 'FS',
  fields: object,
  rest: Partial<intakeContract.RegisterInput>,
): intakeContract.RegisterInput => ({
  requestId: uuidv7(),
  family,
  fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  faults: [],
  files: [],
  ...rest,
});

/** As the gateway registers a transactional request, without a webhook unless `callbackUrl` is given. */
export const makeTransactional = (
  overrides: Fields = {},
  rest: Partial<intakeContract.RegisterInput> = {},
): intakeContract.RegisterInput => registration('FT', { ...makeTransactionalRequest(), ...overrides }, rest);

/** As the gateway registers a simplified request. */
export const makeSimplified = (
  overrides: Fields = {},
  rest: Partial<intakeContract.RegisterInput> = {},
): intakeContract.RegisterInput => registration('FS', { ...makeSimplifiedRequest(), ...overrides }, rest);
