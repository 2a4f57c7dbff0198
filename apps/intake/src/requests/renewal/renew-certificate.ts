import { createText } from '@rubrica/contracts/error-texts/create-text';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { statement } from '@rubrica/database/statement';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import { refuseBody, requestNotFound } from '../../base/errors.ts';
import { answerRepeat, createRepeatError } from '../registration/answer-repeat.ts';
import { isReferenceTaken, type RegistrationContext } from '../registration/examine-registration.ts';
import { checkCorrections } from '../registration/family-rules.ts';
import { registerExamined } from '../registration/register-request.ts';
import { createLaterContext } from '../registration/rules.ts';
import { refuseWithoutQuota } from '../request/quota.ts';
import { findOwnById, findOwnBySerialOrReference } from '../request/request.repository.ts';
import { carryEvidence } from './carry-evidence.ts';
import { examineRenewal, isRenewalField, type RenewalDeps, type RenewalRequest } from './examine-renewal.ts';
import { findRenewable, notRenewable, type RenewableCertificate } from './find-renewable.ts';

type Renew = UseCase<'intake', 'certificates.renew'>;
type Registered = z.output<typeof requestsContract.registerOutput>;
type RenewCertificateDeps = RenewalDeps & Parameters<typeof findRenewable>[0];

/**
 * Renews a certificate of the calling partner. A repeat with the same id gets the stored answer.
 * @throws AppError 400 for the form of the body, then as `findRenewable` and `registerRenewal`
 */
export function createRenewCertificate(deps: RenewCertificateDeps): Renew {
  return async (input, { caller: { partnerId } }) => {
    await refuseForm(deps, input, partnerId);
    const stored = await findOwnById(deps.database.fork(), { partnerId, id: input.requestId });
    if (stored !== null) {
      const answer = await answerRepeat(deps.database, stored);
      return {
        ...answer,
        family: stored.family,
        renewalOf: await findRenewedCertificate(deps.database, stored.id),
      };
    }
    const found = await findRenewable(deps, { ...input, partnerId });
    const partner = await deps.partners.get(partnerId);
    const wish = toRenewalRequest(input, found);
    const registered = await registerRenewal(deps, wish, { partner, now: deps.clock() });
    const { family, referenceTransaction, serialNumber } = found.former;
    return { ...registered, family, renewalOf: { referenceTransaction, serialNumber } };
  };
}

/**
 * Answers as a renewal would; nothing is stored.
 * @throws AppError the error with which it would be refused
 */
export function createRenewDryRun(deps: RenewCertificateDeps): UseCase<'intake', 'certificates.renewDryRun'> {
  return async (input, { caller: { partnerId } }) => {
    await refuseForm(deps, input, partnerId);
    const found = await findRenewable(deps, { ...input, partnerId });
    const partner = await deps.partners.get(partnerId);
    const now = deps.clock();
    const examined = await examineRenewal(deps, toRenewalRequest(input, found), { partner, now });
    await refuseWithoutQuota(deps, { input: examined.input, partnerId, now });
    return { family: found.former.family, warnings: [...examined.warnings] };
  };
}

type Input = Omit<requestsContract.RenewInput, 'evidence'> & Partial<requestsContract.RenewInput>;

/**
 * Refuses faults in the form of the body; members that the family of the certificate does not accept are
 * ignored.
 */
async function refuseForm(deps: RenewCertificateDeps, input: Input, partnerId: string): Promise<void> {
  const { fields, faults: found } = input;
  const faults = checkCorrections({ fields, found, context: createLaterContext(deps) });
  if (faults.length === 0) return;
  const former = await findOwnBySerialOrReference(deps.database.fork(), { ...input, partnerId });
  const relevant = former === null ? faults : faults.filter((fault) => isRenewalField(former.family, fault));
  if (relevant.length > 0) throw refuseBody(relevant);
}

function toRenewalRequest(input: Input, { former, renewalNumber }: RenewableCertificate) {
  const { requestId, fields, files, sealedPassword, evidence, supersede } = input;
  return {
    requestId,
    former,
    renewalNumber,
    supersedes: supersede,
    given: {
      referenceTransaction: input.newReferenceTransaction,
      fields,
      files,
      ...(sealedPassword === undefined ? {} : { sealedPassword }),
      ...(evidence === undefined ? {} : { evidence }),
    },
  };
}

/**
 * Registers the renewal of a certificate that may be renewed, like a registration of its family, with the
 * former's data. Of two concurrent renewals one wins.
 * @throws AppError DUPLICATED_REFERENCE_TRANSACTION, REQUEST_STATE_NOT_ALLOWED if another was quicker, and
 *   the errors of the registration
 */
async function registerRenewal(
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

interface RenewedCertificate {
  readonly referenceTransaction: string;
  readonly serialNumber: string;
}

const find = statement<{ readonly requestId: string }, RenewedCertificate>({
  name: 'find-renewal-of',
  sql: `
select former.reference_transaction as "referenceTransaction", former.serial_number as "serialNumber"
from request join request as former on former.id = request.renewal_of where request.id = :requestId`,
});

/** Finds the certificate that a request renews. @throws AppError REQUEST_NOT_FOUND if it renews none */
async function findRenewedCertificate(
  database: Parameters<typeof find.run>[0],
  requestId: string,
): Promise<RenewedCertificate> {
  const [found] = await find.run(database, { requestId });
  if (found === undefined) throw requestNotFound();
  return found;
}
