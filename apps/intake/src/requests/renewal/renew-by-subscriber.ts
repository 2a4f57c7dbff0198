import type { EntityManager } from '@mikro-orm/postgresql';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { type EntryGuard, findEntryGuard } from '@rubrica/database/entries';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import { crashPoints } from '../../base/crash-points.ts';
import { stateNotAllowed } from '../../base/errors.ts';
import { sha256Hex } from '../../base/sha256-hex.ts';
import { type IssuedTicket, issueTicket, planTicket, reissueDownloadTicket } from '../claim/claim-ticket.ts';
import type { LinkDeps } from '../claim/find-claim.ts';
import { protectRenewalLink } from '../claim/link-mac.ts';
import {
  type ClaimProof,
  lockProvenClaim,
  type Proof,
  proveClaim,
  useUpCodes,
} from '../claim/prove-claim.ts';
import { viewClaim } from '../claim/view-claim.ts';
import {
  type CarriedEvidence,
  type InsertOptions,
  insertRegistration,
} from '../registration/insert-registration.ts';
import type { ExaminedInput } from '../registration/register-request.ts';
import { buildRegistration } from '../registration/registration.ts';
import { applicantActor } from '../request/actors.ts';
import { auditInsert } from '../request/audit-insert.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import {
  type ActiveTerms,
  findActiveTerms,
  requireAcceptedTerms,
  toAcceptanceInsert,
} from '../request/terms-acceptance.ts';
import { carryEvidence } from './carry-evidence.ts';
import { examineSelfRenewal, type SelfRenewalDeps, throwForSubscriber } from './examine-self-renewal.ts';
import type { FormerRequest } from './find-renewable.ts';
import { createRenewalLinkStore, planLinkUse, sealRenewalToken } from './renewal-link.ts';

type Input = z.output<typeof claimsContract.renewByLinkInput>;
type RenewBySubscriber = UseCase<'intake', 'renewals.renew'>;

interface PresentedLink extends Proof {
  readonly token: string;
  readonly tokenSha256: string;
  readonly peer: ServiceName;
}

/** Number of tries, because another request may take the same reference first. */
const maxTries = 5;

/** Error after which nothing is written and the code is not used up: the transaction rolls back. */
class ConcurrentRenewal extends Error {}

function isConcurrentRenewal(error: unknown): boolean {
  return (
    error instanceof ConcurrentRenewal ||
    (error instanceof AppError && error.code === 'DUPLICATED_REFERENCE_TRANSACTION')
  );
}

/**
 * Renews a certificate for its subscriber, once; the data of the page are the claim. A repeat, or a concurrent
 * call, gets the answer of the first.
 * @throws AppError as the claim, and as `examineSelfRenewal`
 */
export function createRenewBySubscriber(given: SelfRenewalDeps): RenewBySubscriber {
  const deps = { ...given, links: createRenewalLinkStore(given.rows) };
  return async (input, { peer }) => {
    const token = await deps.keyring.openText(input.sealedToken, { purpose: 'claim-token', owner: peer });
    const { sealedCode, sealedRight } = input;
    const presented = { sealedCode, sealedRight, token, tokenSha256: sha256Hex(token), peer };
    for (let tries = 1; tries <= maxTries; tries += 1) {
      try {
        const retrieval = await renew(deps, { input, presented });
        if (retrieval !== undefined) crashpoint(crashPoints.afterOwnRenewal);
        const answered = retrieval ?? (await reissueDownloadTicket(deps, presented));
        return { ...(await viewClaim(deps, presented)), retrieval: answered };
      } catch (error) {
        if (!isConcurrentRenewal(error)) throw error;
      }
    }
    throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
  };
}

/** @returns the ticket of the download; undefined if this link renewed it before, or another call was quicker */
async function renew(
  deps: SelfRenewalDeps & LinkDeps,
  { input, presented }: { input: Input; presented: PresentedLink },
) {
  // 1. The link: one that has renewed its certificate gets the answer of that.
  const { requestId, sealedPassword } = input;
  const { token, tokenSha256, peer } = presented;
  const seen = await deps.links.find(deps.database, tokenSha256, deps.clock());
  if (seen.state === 'ENDED') throw stateNotAllowed(seen.status);
  if (seen.state !== 'OPEN') return undefined;

  // 2. The terms, and all that a registration demands, before the code is tried.
  const terms = requireAcceptedTerms(await findActiveTerms(deps.peers, seen.certificateType), input.termsId);
  const examined = await examineSelfRenewal(deps, seen, { requestId, sealedPassword }).catch(
    async (error: unknown) => {
      // Another call may have used the link since it was found: then this one gets its answer.
      const { state } = await deps.links.find(deps.database, tokenSha256, deps.clock());
      throw state === 'OPEN' ? error : new ConcurrentRenewal('the link');
    },
  );

  // 3. What the transaction stores: the evidence for the new request, the ticket of the download, and the link.
  const { former, carried } = examined;
  const evidence = await carryEvidence(deps, { formerId: former.id, requestId, evidence: carried, given: 0 });
  const download = await issueTicket(deps, { tokenSha256, peer });
  const sealedToken = await sealRenewalToken(deps.keyring, { token, requestId });
  crashpoint(crashPoints.beforeOwnRenewal);

  // 4. The code, or its ticket. A crash from here on spends the try.
  const proof = await proveClaim(deps, { ...presented, state: 'OPEN' });

  // 5. Under the former request's lock, in one transaction: the code is used up, and the request is created in the
  // partner's name with password, acceptance and evidence. A crash before: none of it.
  const planned = { input, terms, examined, evidence, download, sealedToken };
  return proof && deps.database.transaction((em) => writeRenewal(em, deps, { proof, ...planned }));
}

interface RenewalToWrite {
  readonly input: Input;
  readonly proof: ClaimProof;
  readonly terms: ActiveTerms;
  readonly examined: Awaited<ReturnType<typeof examineSelfRenewal>>;
  readonly evidence: CarriedEvidence | undefined;
  /** Ticket of the download. */
  readonly download: IssuedTicket;
  /** Token of the link, for the mails of the new request. */
  readonly sealedToken: string;
}

/**
 * @returns the ticket of the download; undefined if another call has used the link before it was locked
 * @throws ConcurrentRenewal, AppError CLAIM_LINK_INVALID, QUOTA_EXCEEDED
 */
async function writeRenewal(
  em: EntityManager,
  deps: SelfRenewalDeps & LinkDeps,
  { input, proof, terms, examined, evidence, download, sealedToken }: RenewalToWrite,
) {
  const claim = await lockProvenClaim(em, deps, proof);
  if (claim === undefined) return undefined;
  await useUpCodes(em, proof, claim);
  const { former, wish } = examined;
  // The code was for another request: the link leads to that one now.
  if (claim.requestId !== former.id) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  const { requestId, language, sealedPassword } = input;
  const { now } = claim;
  const { tokenSha256 } = proof;
  const { renewalNumber, supersedes } = wish;
  const { insert: ticketInsert, ticket } = planTicket(download, { requestId, purpose: 'download', now });
  const mac = protectRenewalLink(deps.rows, { requestId: former.id, tokenSha256, renewalId: requestId });
  await insert(deps, em, {
    ...examined,
    input: { ...examined.input, sealedPassword },
    now,
    renewal: { formerId: former.id, renewalNumber, supersedes, language, evidence },
    sideEffects: [
      ...examined.sideEffects,
      toAcceptanceInsert(requestId, terms, { ...input, at: now }),
      ticketInsert,
      auditRenewal(findEntryGuard(em), requestId, former),
    ],
    writes: [planLinkUse({ tokenSha256, sealedToken, mac })],
  });
  return ticket;
}

type InsertInput = Omit<ExaminedInput, 'renewal'> & Pick<InsertOptions, 'renewal' | 'writes'>;

/** @throws ConcurrentRenewal, AppError QUOTA_EXCEEDED */
async function insert(
  deps: SelfRenewalDeps,
  em: EntityManager,
  { input, partner, warnings, now, ...rest }: InsertInput,
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
  const inserted = await insertRegistration(em, options).catch(throwForSubscriber);
  if (inserted === undefined) throw new ConcurrentRenewal('a renewal, or its reference');
}

function auditRenewal(entries: EntryGuard, requestId: string, former: FormerRequest): DependentInsert {
  return auditInsert(entries, {
    ...{ actor: applicantActor, action: 'renewals.renew', target: `request:${requestId}` },
    details: { renewalOf: former.serialNumber },
  });
}
