import type { EntityManager } from '@mikro-orm/postgresql';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { type EntryGuard, findEntryGuard } from '@rubrica/database';
import { AppError, crashpoint } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import { crashPoints } from '../../../base/crash-points.ts';
import { stateNotAllowed } from '../../../base/errors.ts';
import { sha256Hex } from '../../../base/sha256-hex.ts';
import { acceptedTerms } from '../../claim/check-terms.ts';
import { makeRight, planRight } from '../../claim/claim-right.ts';
import type { OfLinks } from '../../claim/link-kind.ts';
import { protectRenewalLink } from '../../claim/link-mac.ts';
import { renewRetrieval } from '../../claim/renew-retrieval.ts';
import { sealRenewalToken, usingLink } from '../../claim/renewal/renewal-link.ts';
import { type Proof, unlock } from '../../claim/unlock.ts';
import { viewClaim } from '../../claim/view-claim.ts';
import { applicantActor } from '../../request/actors.ts';
import { auditInsert } from '../../request/audit-insert.ts';
import type { DependentInsert } from '../../request/one-statement.ts';
import { acceptanceOf, findActiveTerms } from '../../request/terms-acceptance.ts';
import { type InsertOptions, insertRegistration } from '../insert-registration.ts';
import type { ExaminedInput } from '../register-examined.ts';
import { buildRegistration } from '../registration.ts';
import { carryEvidence } from '../renewal/carry-evidence.ts';
import type { Former } from '../renewal/find-renewable.ts';
import { createRenewalLinks } from './find-renewal.ts';
import { type AloneNeeds, examineAlone, inOwnWords } from './may-renew-alone.ts';

type Input = z.output<typeof claimsContract.renewByLinkInput>;
type RenewBySubscriber = UseCase<'intake', 'renewals.renew'>;

interface Shown extends Proof {
  readonly token: string;
  readonly tokenSha256: string;
  readonly peer: ServiceName;
}

/** How often another may be quicker to take the same reference. */
const mostTries = 5;

/** Nothing is written then, and the code is not used up: the transaction rolls back. */
class Overtaken extends Error {}

function isOvertaken(error: unknown): boolean {
  return (
    error instanceof Overtaken ||
    (error instanceof AppError && error.code === 'DUPLICATED_REFERENCE_TRANSACTION')
  );
}

/**
 * Renews a certificate for its subscriber, once: what the page took is the claim. The code is used up, the request is
 * made in the partner's name, the password, the acceptance and the evidence are kept with it, and the download is
 * opened to whoever renews, all in one transaction. A repeat, or a second call at the same time, is answered as the first.
 * @throws AppError as the claim, and as `examineAlone`
 */
export function createRenewBySubscriber(given: AloneNeeds): RenewBySubscriber {
  const deps = { ...given, links: createRenewalLinks(given.rows) };
  return async (input, { peer }) => {
    const token = await deps.keyring.openText(input.sealedToken, { purpose: 'claim-token', owner: peer });
    const { sealedCode, sealedRight } = input;
    const shown = { sealedCode, sealedRight, token, tokenSha256: sha256Hex(token), peer };
    for (let tries = 1; tries <= mostTries; tries += 1) {
      try {
        const renewed = await renew(deps, { input, shown });
        if (renewed !== undefined) crashpoint(crashPoints.afterOwnRenewal);
        const retrieval = renewed?.done ?? (await renewRetrieval(deps, shown));
        return { ...(await viewClaim(deps, shown)), retrieval };
      } catch (error) {
        if (!isOvertaken(error)) throw error;
      }
    }
    throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
  };
}

/** @returns undefined where it was renewed by this link before, or another call was quicker */
async function renew(deps: AloneNeeds & OfLinks, { input, shown }: { input: Input; shown: Shown }) {
  const { requestId, sealedPassword } = input;
  const seen = await deps.links.find(deps.database, shown.tokenSha256, deps.clock());
  if (seen.state === 'ENDED') throw stateNotAllowed(seen.status);
  if (seen.state !== 'OPEN') return undefined;
  const terms = acceptedTerms(await findActiveTerms(deps.peers, seen.certificateType), input.termsId);
  const examined = await examineAlone(deps, seen, { requestId, sealedPassword }).catch(
    async (error: unknown) => {
      // Another call may have used the link since it was found: then this one is answered as that.
      const { state } = await deps.links.find(deps.database, shown.tokenSha256, deps.clock());
      throw state === 'OPEN' ? error : new Overtaken('the link');
    },
  );
  const { former, wish, carried } = examined;
  const evidence = await carryEvidence(deps, { formerId: former.id, requestId, evidence: carried, given: 0 });
  const made = await makeRight(deps, shown);
  const sealedToken = await sealRenewalToken(deps.keyring, { token: shown.token, requestId });
  crashpoint(crashPoints.beforeOwnRenewal);
  return unlock(deps, { ...shown, state: 'OPEN' }, async ({ em, claim, now }) => {
    // The code was that of another request: the link leads there now.
    if (claim.requestId !== former.id) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
    const { insert: right, right: retrieval } = planRight(made, { requestId, purpose: 'download', now });
    const { language } = input;
    const { renewalNumber, supersedes } = wish;
    const renewal = { formerId: former.id, renewalNumber, supersedes, language, evidence };
    const sideEffects = [
      ...examined.sideEffects,
      acceptanceOf(requestId, terms, { ...input, at: now }),
      right,
      audited(findEntryGuard(em), requestId, former),
    ];
    const { tokenSha256 } = shown;
    const mac = protectRenewalLink(deps.rows, { requestId: former.id, tokenSha256, renewalId: requestId });
    const writes = [usingLink({ tokenSha256, sealedToken, mac })];
    await insert(deps, em, {
      ...examined,
      input: { ...examined.input, sealedPassword },
      now,
      renewal,
      sideEffects,
      writes,
    });
    return retrieval;
  });
}

type Inserting = Omit<ExaminedInput, 'renewal'> & Pick<InsertOptions, 'renewal' | 'writes'>;

/** @throws Overtaken, AppError QUOTA_EXCEEDED */
async function insert(
  deps: AloneNeeds,
  em: EntityManager,
  { input, partner, warnings, now, ...rest }: Inserting,
) {
  const { newId, rules, timeZone, rows } = deps;
  const registration = buildRegistration({ input, partner, warnings, now, newId, isClaimed: true });
  const { errorWindowDays } = rules;
  const options = {
    rows,
    registration,
    input,
    errorWindowDays,
    timeZone,
    begins: false,
    actor: applicantActor,
    ...rest,
  };
  const inserted = await inOwnWords(() => insertRegistration(em, options));
  if (inserted === undefined) throw new Overtaken('a renewal, or its reference');
}

function audited(entries: EntryGuard, requestId: string, former: Former): DependentInsert {
  return auditInsert(entries, {
    ...{ actor: applicantActor, action: 'renewals.renew', target: `request:${requestId}` },
    details: { renewalOf: former.serialNumber },
  });
}
