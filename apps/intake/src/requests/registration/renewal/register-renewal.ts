import { createText } from '@rubrica/contracts/error-texts/create-text';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { z } from 'zod';
import type { RequestsDeps } from '../../deps.ts';
import { examineRegistration, isReferenceTaken, type RegistrationContext } from '../examine-registration.ts';
import { createRepeatError } from '../refuse-repeat.ts';
import { type RegisterDeps, registerExamined } from '../register-examined.ts';
import { carryEvidence, findFormerEvidence } from './carry-evidence.ts';
import { notRenewable } from './judge-renewal.ts';
import { planRenewal, type RenewalRequest } from './plan-renewal.ts';

export type RenewalDeps = RegisterDeps & Pick<RequestsDeps, 'keyring'>;
type Registered = z.output<typeof requestsContract.registerOutput>;

/**
 * Registers the renewal of a certificate that may be renewed, like a registration of its family, with the
 * former's data. Of two concurrent renewals one wins.
 * @throws AppError DUPLICATED_REFERENCE_TRANSACTION, REQUEST_STATE_NOT_ALLOWED if another was quicker, and
 *   the errors of the registration
 */
export async function registerRenewal(
  deps: RenewalDeps,
  wish: RenewalRequest,
  registering: RegistrationContext,
): Promise<Registered> {
  const { input, carried, warnings, sideEffects } = await examineRenewal(deps, wish, registering);
  const { former, renewalNumber, supersedes } = wish;
  const givenCount = input.evidence?.items.length ?? 0;
  const evidence = await carryEvidence(deps, {
    formerId: former.id,
    requestId: input.requestId,
    evidence: carried,
    given: givenCount,
  });
  const { id: formerId, language } = former;
  const renewal = { formerId, renewalNumber, supersedes, language, evidence };
  const registered = await registerExamined(deps, { input, warnings, sideEffects, ...registering, renewal });
  if (registered !== undefined) return registered;
  // Something was quicker between the checks and the insert: the same reference, or another renewal.
  const repeatInput = { input, partnerId: registering.partner.id };
  if (await isReferenceTaken(deps, repeatInput)) throw await createRepeatError(deps, repeatInput);
  throw notRenewable(createText('request.renewed'));
}

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
