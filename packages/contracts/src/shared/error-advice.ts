import type { Advice } from './advice/advice.ts';
import { identityAdvice } from './advice/identity.ts';
import { operationAdvice } from './advice/operation.ts';
import { registrationAdvice } from './advice/registration.ts';
import type { ErrorCode } from './errors.ts';

/**
 * Cause and remedy of every code, for the error catalogue of the documentation. A code without them does not compile.
 */
export const errorAdvice: Readonly<Record<ErrorCode, Advice>> = {
  ...registrationAdvice,
  ...identityAdvice,
  ...operationAdvice,
};
