import type { RequestsDeps } from '../deps.ts';
import {
  examineRegistration,
  isReferenceTaken,
  type RegistrationContext,
} from '../registration/examine-registration.ts';
import { createRepeatError } from '../registration/refuse-repeat.ts';
import type { RegisterDeps } from '../registration/register-examined.ts';
import { findFormerEvidence } from './carry-evidence.ts';
import { planRenewal, type RenewalRequest } from './plan-renewal.ts';

export type RenewalDeps = RegisterDeps & Pick<RequestsDeps, 'keyring'>;

/**
 * Makes every check of a renewal after that of the former certificate, in their order of precedence; writes
 * nothing.
 * @throws AppError
 */
export async function examineRenewal(
  deps: RenewalDeps,
  wish: RenewalRequest,
  registering: RegistrationContext,
) {
  const stored = await findFormerEvidence(deps, wish.former);
  const { input, carried } = planRenewal(wish, stored);
  const repeatInput = { input, partnerId: registering.partner.id };
  if (await isReferenceTaken(deps, repeatInput)) throw await createRepeatError(deps, repeatInput);
  const examined = await examineRegistration(input, registering, deps);
  if (examined.isRepeat) throw await createRepeatError(deps, repeatInput);
  const { warnings, sideEffects } = examined;
  return { input, carried, warnings, sideEffects };
}
