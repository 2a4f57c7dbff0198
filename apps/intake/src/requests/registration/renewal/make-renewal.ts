import { createText } from '@rubrica/contracts/error-texts/create-text';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { z } from 'zod';
import type { RequestsDeps } from '../../deps.ts';
import { examineRegistration, isKnown, type Registering } from '../examine-registration.ts';
import { refuseRepeat } from '../refuse-repeat.ts';
import { type RegisterNeeds, registerExamined } from '../register-examined.ts';
import { carryEvidence, findFormerEvidence } from './carry-evidence.ts';
import { notRenewable } from './judge-renewal.ts';
import { planRenewal, type RenewalWish } from './plan-renewal.ts';

export type RenewalNeeds = RegisterNeeds & Pick<RequestsDeps, 'keyring'>;
type Registered = z.output<typeof requestsContract.registerOutput>;

/**
 * Registers the renewal of a certificate that was found to be renewable: as a registration of its family does, with the
 * former's data. Of two at the same moment one wins.
 * @throws AppError DUPLICATED_REFERENCE_TRANSACTION, REQUEST_STATE_NOT_ALLOWED where another was quicker, and what the
 *   registration would be refused with
 */
export async function makeRenewal(
  deps: RenewalNeeds,
  wish: RenewalWish,
  registering: Registering,
): Promise<Registered> {
  const { input, carried, warnings, sideEffects } = await examineRenewal(deps, wish, registering);
  const { former, renewalNumber, supersedes } = wish;
  const given = input.evidence?.items.length ?? 0;
  const evidence = await carryEvidence(deps, {
    formerId: former.id,
    requestId: input.requestId,
    evidence: carried,
    given,
  });
  const { id: formerId, language } = former;
  const renewal = { formerId, renewalNumber, supersedes, language, evidence };
  const registered = await registerExamined(deps, { input, warnings, sideEffects, ...registering, renewal });
  if (registered !== undefined) return registered;
  // Between the questions and the insert something was quicker: the same reference, or another renewal.
  const own = { input, partnerId: registering.partner.id };
  if (await isKnown(deps, own)) throw await refuseRepeat(deps, own);
  throw notRenewable(createText('request.renewed'));
}

/** Every check of a renewal after that of the former one, in their order of precedence; writes nothing. @throws AppError */
export async function examineRenewal(deps: RenewalNeeds, wish: RenewalWish, registering: Registering) {
  const stored = await findFormerEvidence(deps, wish.former);
  const { input, carried } = planRenewal(wish, stored);
  const own = { input, partnerId: registering.partner.id };
  if (await isKnown(deps, own)) throw await refuseRepeat(deps, own);
  const examined = await examineRegistration(input, registering, deps);
  if (examined.isRepeat) throw await refuseRepeat(deps, own);
  const { warnings, sideEffects } = examined;
  return { input, carried, warnings, sideEffects };
}
