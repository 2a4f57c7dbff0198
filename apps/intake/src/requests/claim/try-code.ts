import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { statement } from '@rubrica/database';
import { AppError, invalidField } from '@rubrica/process';
import { stateNotAllowed } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import {
  type CodeHistory,
  codeRules,
  isStillValid,
  type Judgement,
  judge,
  type LiveCode,
} from './code-rules.ts';
import { computeEnteredDigest, sameDigest } from './code-secret.ts';
import { countTries } from './count-tries.ts';
import type { FoundClaim } from './find-claim.ts';
import type { LinkDeps } from './link-store.ts';

export type TryCodeDeps = Pick<RequestsDeps, 'database' | 'clock' | 'keyring' | 'rules' | 'rows'> & LinkDeps;

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

/** Uses up a code: without its digest nobody can try it again. */
export const useUpCode = statement<{ readonly id: string; readonly now: Date }>({
  name: 'use-up-code',
  sql: `
with used as (
  update claim_code set digest = null, sealed_key = null, used_at = :now where id = :id returning id
)
update message set sealed_secret = null from used where message.id = used.id`,
});

export interface CodeAttempt {
  readonly tokenSha256: string;
  /** Six digits, sealed to intake. */
  readonly sealedCode: string;
  readonly state: 'OPEN' | 'ISSUED';
  /** True if a right code stays valid for its time, because it is only checked. */
  readonly staysGood?: boolean;
}

export interface VerifiedClaim {
  readonly em: EntityManager;
  readonly claim: FoundClaim;
  readonly now: Date;
}

/**
 * Checks a code and, if it is right, uses it up and does `work` in one transaction. The try is counted first,
 * in its own transaction under the request's lock. Each of concurrent guesses is counted before the next is
 * judged, and none is compared before its count is committed. If the process dies in between, the try is
 * spent.
 * @returns undefined if the request has left `state` before the lock was acquired
 * @throws AppError OTP_INVALID, OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED, CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED
 */
export async function tryCode<Done>(
  deps: TryCodeDeps,
  attempt: CodeAttempt,
  work: (unlocked: VerifiedClaim) => Promise<Done>,
): Promise<{ readonly done: Done } | undefined> {
  const { database, clock, keyring, rules, links } = deps;
  const started = clock();
  const seen = await links.find(database, attempt.tokenSha256, started);
  if (seen.state !== attempt.state) return undefined;
  // A refused call waits for no lock: a flood of guesses must not fill the pool.
  requireLinkCode(seen, started, rules.codeIntervalSeconds);
  const entered = await keyring.openText(attempt.sealedCode, {
    purpose: 'entered-code',
    owner: attempt.tokenSha256,
  });
  const counted = await countTry(deps, attempt);
  if (counted === undefined) return undefined;
  const { code, requestId } = counted;
  const digest = await computeEnteredDigest(keyring, { ...code, requestId }, entered);
  if (!sameDigest(code.digest, digest)) throw wrongCode(code);
  return database.transaction(async (em) => {
    const { now, ...claim } = await links.lock(em, attempt.tokenSha256, clock);
    if (claim.state !== attempt.state) return undefined;
    requireLive(claim.codeHistory, code, now);
    if (!attempt.staysGood) await useUpCode.run(em, { id: code.id, now });
    return { done: await work({ em, claim, now }) };
  });
}

/** @returns the code as it was before this try; undefined if the request has left `state` */
function countTry(
  { database, clock, rules, links }: TryCodeDeps,
  { tokenSha256, state }: CodeAttempt,
): Promise<{ readonly code: LiveCode; readonly requestId: string } | undefined> {
  return database.transaction(async (em) => {
    const { now, ...claim } = await links.lock(em, tokenSha256, clock);
    if (claim.state !== state) return undefined;
    const code = requireLinkCode(claim, now, rules.codeIntervalSeconds);
    const { requestId } = claim;
    const { id, purpose } = code;
    const group = purpose === 'renew' ? 'renew' : 'claim';
    await countTries(em, { requestId, codeIds: [id], purpose, group, now });
    return { code, requestId };
  });
}
