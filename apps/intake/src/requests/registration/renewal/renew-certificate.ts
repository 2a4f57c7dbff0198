import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { UseCase } from '@rubrica/wiring';
import { refuseBody } from '../../../base/errors.ts';
import { findOwnById, findOwnBySerialOrReference } from '../../request/request.repository.ts';
import { answerRepeat } from '../answer-repeat.ts';
import { refuseWithoutQuota } from '../dry-run.ts';
import { checkCorrections } from '../family-rules.ts';
import { createLaterContext } from '../rules.ts';
import { findRenewable, type RenewableCertificate } from './find-renewable.ts';
import { findRenewedCertificate } from './find-renewed-certificate.ts';
import { isRenewalField } from './merge-fields.ts';
import { examineRenewal, type RenewalDeps, registerRenewal } from './register-renewal.ts';

type Renew = UseCase<'intake', 'certificates.renew'>;
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
