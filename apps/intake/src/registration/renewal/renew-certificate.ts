import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { UseCase } from '@rubrica/wiring';
import { refuseBody } from '../../errors.ts';
import { findOwnById } from '../../request/request.repository.ts';
import { answerRepeat } from '../answer-repeat.ts';
import { refuseUsedUp } from '../dry-run.ts';
import { checkCorrections } from '../family-rules.ts';
import { laterContext, type RuleContext } from '../rules.ts';
import { findRenewable } from './find-renewable.ts';
import { examineRenewal, makeRenewal, type RenewalNeeds } from './make-renewal.ts';
import { findRenewalOf } from './renewal-of.ts';

type Renew = UseCase<'intake', 'certificates.renew'>;
type Needs = RenewalNeeds & Parameters<typeof findRenewable>[0];

/**
 * Renews a certificate of the partner's own. A repeat with the same id is answered with what was stored.
 * @throws AppError 400 for the body's own form, then as `findRenewable` and `makeRenewal`
 */
export function createRenewCertificate(deps: Needs): Renew {
  return async (input, { caller: { partnerId } }) => {
    refuseForm(input, laterContext(deps));
    const stored = await findOwnById(deps.database.fork(), { partnerId, id: input.requestId });
    if (stored !== null) {
      const answer = await answerRepeat(deps.database, stored);
      return { ...answer, family: stored.family, renewalOf: await findRenewalOf(deps.database, stored.id) };
    }
    const former = await findRenewable(deps, { ...input, partnerId });
    const partner = await deps.partners.get(partnerId);
    const wish = wishOf(input, former);
    const registered = await makeRenewal(deps, wish, { partner, now: deps.clock() });
    const { family, referenceTransaction, serialNumber } = former;
    return { ...registered, family, renewalOf: { referenceTransaction, serialNumber } };
  };
}

/** What a renewal would be answered; nothing is stored. @throws AppError what it would be refused with */
export function createRenewDryRun(deps: Needs): UseCase<'intake', 'certificates.renewDryRun'> {
  return async (input, { caller: { partnerId } }) => {
    refuseForm(input, laterContext(deps));
    const former = await findRenewable(deps, { ...input, partnerId });
    const partner = await deps.partners.get(partnerId);
    const now = deps.clock();
    const examined = await examineRenewal(deps, wishOf(input, former), { partner, now });
    await refuseUsedUp(deps, { input: examined.input, partnerId, now });
    return { family: former.family, warnings: [...examined.warnings] };
  };
}

type Input = Omit<requestsContract.RenewInput, 'evidence'> & Partial<requestsContract.RenewInput>;

/** What of the body is wrong whichever certificate it is about. */
function refuseForm({ fields, faults: found }: Input, context: RuleContext): void {
  const faults = checkCorrections({ fields, found, context });
  if (faults.length > 0) throw refuseBody(faults);
}

function wishOf(input: Input, former: Awaited<ReturnType<typeof findRenewable>>) {
  const { requestId, fields, files, sealedPassword, evidence, supersede } = input;
  return {
    requestId,
    former,
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
