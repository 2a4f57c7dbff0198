import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { statement } from '@rubrica/database/statement';
import { AppError, invalidField } from '@rubrica/process/errors';
import { stateNotAllowed } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { createTicketExpired, hashTicket, isTicketValid } from './claim-ticket.ts';
import { countTries, isSamePurposeSql } from './code-history.ts';
import {
  type CodeHistory,
  type CodePurpose,
  codeRules,
  isStillValid,
  type Judgement,
  judge,
  type LiveCode,
} from './code-rules.ts';
import { computeEnteredDigest, sameDigest } from './code-secret.ts';
import { type FoundClaim, type LinkDeps, type LockedClaim, ticketPurposes } from './find-claim.ts';

export type ProofDeps = Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'rules' | 'rows'> & LinkDeps;

/** Proof that an applicant presents with the link: a code, or the ticket that one has brought. */
export interface Proof {
  /** Six digits, sealed to intake. */
  readonly sealedCode?: string | undefined;
  /** Ticket, sealed to intake. */
  readonly sealedRight?: string | undefined;
}

export interface ProofAttempt extends Proof {
  readonly tokenSha256: string;
  /** State of the link for which the proof is presented. */
  readonly state: 'OPEN' | 'ISSUED';
}

/** Code that was right, or ticket that the transaction is going to look up. */
export type ClaimProof = Pick<ProofAttempt, 'tokenSha256' | 'state'> &
  (
    | { readonly kind: 'code'; readonly code: LiveCode }
    | { readonly kind: 'ticket'; readonly secretSha256: string }
  );

/**
 * Proves a claim before its transaction: compares the entered code, or opens the ticket, which the transaction
 * looks up. The try of a code is counted first, in its own transaction under the request's lock. Each of
 * concurrent guesses is counted before the next is judged, and none is compared before its count is committed.
 * If the process dies in between, the try is spent.
 * @returns undefined if the request is not in `state`; nothing was compared then
 * @throws AppError OTP_INVALID, OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED, CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED
 */
export async function proveClaim(deps: ProofDeps, attempt: ProofAttempt): Promise<ClaimProof | undefined> {
  const { tokenSha256, state, sealedCode, sealedRight: sealedTicket } = attempt;
  if (sealedTicket !== undefined) {
    const secretSha256 = await hashTicket(deps.keyring, { sealedTicket, tokenSha256 });
    return { kind: 'ticket', secretSha256, tokenSha256, state };
  }
  if (sealedCode === undefined) throw createTicketExpired();
  const code = await compareCode(deps, { tokenSha256, state, sealedCode });
  return code && { kind: 'code', code, tokenSha256, state };
}

/**
 * Locks the request of a proven claim. The proof may have been used or replaced since it was checked: it is
 * verified again, and `useUpCodes` ends it.
 * @returns undefined if the request has left the state of the proof
 * @throws AppError OTP_EXPIRED, CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED
 */
export async function lockProvenClaim(
  em: EntityManager,
  deps: ProofDeps,
  proof: ClaimProof,
): Promise<LockedClaim | undefined> {
  const { tokenSha256 } = proof;
  const claim = await deps.links.lock(em, tokenSha256, deps.clock);
  if (claim.state !== proof.state) return undefined;
  const { now, codeHistory, requestId } = claim;
  if (proof.kind === 'code') {
    requireLive(codeHistory, proof.code, now);
    return claim;
  }
  const purpose = ticketPurposes[claim.state];
  if (purpose === undefined) return undefined;
  const { secretSha256 } = proof;
  const presented = { secretSha256, tokenSha256, requestIds: [requestId], purpose, now };
  if (!(await isTicketValid(em, presented, deps.rows))) throw createTicketExpired();
  return claim;
}

/**
 * Uses up the code of a proof. A claim by ticket uses up all codes of its purpose: they have served, though
 * none was entered with it. The ticket of a download stays valid for its time.
 */
export async function useUpCodes(
  em: EntityManager,
  proof: ClaimProof,
  { requestId, codePurpose, now }: LockedClaim,
): Promise<void> {
  if (proof.kind === 'code') await useUpCode.run(em, { id: proof.code.id, now });
  else if (proof.state === 'OPEN' && codePurpose !== undefined)
    await useUpAll.run(em, { requestId, purpose: codePurpose, now });
}

/** Uses up a code: without its digest nobody can try it again. */
export const useUpCode = statement<{ readonly id: string; readonly now: Date }>({
  name: 'use-up-code',
  sql: `
with used as (
  update claim_code set digest = null, sealed_key = null, used_at = :now where id = :id returning id
)
update message set sealed_secret = null from used where message.id = used.id`,
});

const useUpAll = statement<{
  readonly requestId: string;
  readonly purpose: CodePurpose;
  readonly now: Date;
}>({
  name: 'use-up-codes',
  sql: `
with used as (
  update claim_code set digest = null, sealed_key = null, used_at = :now
  where request_id = :requestId and digest is not null and ${isSamePurposeSql} returning id
)
update message set sealed_secret = null from used where message.id = used.id`,
});

type CodeAttempt = Pick<ProofAttempt, 'tokenSha256' | 'state'> & { readonly sealedCode: string };

/** @returns the right code; undefined if the request is not in `state` */
async function compareCode(deps: ProofDeps, attempt: CodeAttempt): Promise<LiveCode | undefined> {
  const { database, clock, keyring, rules, links } = deps;
  const { tokenSha256, state, sealedCode } = attempt;
  const started = clock();
  const seen = await links.find(database, tokenSha256, started);
  if (seen.state !== state) return undefined;
  // A refused call waits for no lock: a flood of guesses must not fill the pool.
  requireLinkCode(seen, started, rules.codeIntervalSeconds);
  const entered = await keyring.openText(sealedCode, { purpose: 'entered-code', owner: tokenSha256 });
  const counted = await countTry(deps, attempt);
  if (counted === undefined) return undefined;
  const { code, requestId } = counted;
  const digest = await computeEnteredDigest(keyring, { ...code, requestId }, entered);
  if (!sameDigest(code.digest, digest)) throw wrongCode(code);
  return code;
}

/** @returns the code as it was before this try; undefined if the request has left `state` */
function countTry(
  { database, clock, rules, links }: ProofDeps,
  { tokenSha256, state }: CodeAttempt,
): Promise<{ readonly code: LiveCode; readonly requestId: string } | undefined> {
  return database.transaction(async (em) => {
    const claim = await links.lock(em, tokenSha256, clock);
    if (claim.state !== state) return undefined;
    const { now, requestId } = claim;
    const code = requireLinkCode(claim, now, rules.codeIntervalSeconds);
    const { id, purpose } = code;
    const group = purpose === 'renew' ? 'renew' : 'claim';
    await countTries(em, { requestId, codeIds: [id], purpose, group, now });
    return { code, requestId };
  });
}

function secondsUntil(until: Date, now: Date): number {
  return Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
}

/**
 * Creates the error for a code that was just compared.
 * @param code code as it was before this try was counted
 */
export function wrongCode({ tries }: Pick<LiveCode, 'tries'>): AppError {
  const triesLeft = codeRules.tries - tries - 1;
  const text = createText('request.codeWrong', { count: triesLeft });
  return invalidField('code', text, { code: 'OTP_INVALID' });
}

function toRefusal(judgement: Exclude<Judgement, { kind: 'try' }>, now: Date): AppError {
  return judgement.kind === 'expired'
    ? new AppError({ code: 'OTP_EXPIRED', text: createText('request.codeExpired') })
    : new AppError({
        code: 'OTP_ATTEMPTS_EXCEEDED',
        retryAfterSeconds: secondsUntil(judgement.until, now),
      });
}

/** Returns the code that may be tried now. @throws AppError OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED */
export function requireCode(history: CodeHistory, options: Parameters<typeof judge>[1]): LiveCode {
  const judgement = judge(history, options);
  if (judgement.kind !== 'try') throw toRefusal(judgement, options.now);
  return judgement.code;
}

/**
 * Returns the code that the link is valid for.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED, OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED
 */
function requireLinkCode(claim: FoundClaim, now: Date, intervalSeconds: number): LiveCode {
  const purpose = claim.codePurpose;
  if (purpose === undefined) throw stateNotAllowed(claim.status);
  return requireCode(claim.codeHistory, { purpose, now, intervalSeconds });
}

/** Verifies that a right code has not ended since its try was counted. @throws AppError OTP_EXPIRED */
export function requireLive(history: CodeHistory, tried: LiveCode, now: Date): void {
  if (!isStillValid(history, tried, now)) throw toRefusal({ kind: 'expired' }, now);
}
