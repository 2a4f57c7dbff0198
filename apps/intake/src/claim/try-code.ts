import type { EntityManager } from '@mikro-orm/postgresql';
import { say } from '@rubrica/contracts/error-texts/say';
import { statement } from '@rubrica/database';
import { AppError, invalidField } from '@rubrica/process';
import type { IntakeDeps } from '../context.ts';
import { stateNotAllowed } from '../errors.ts';
import { codeRules, type Judgement, judge, type LiveCode, type SentCode } from './code-rules.ts';
import { digestGiven, sameDigest } from './code-secret.ts';
import type { FoundClaim } from './find-claim.ts';
import type { OfLinks } from './link-kind.ts';
import { wrongCodeAction } from './sent-codes.ts';

export type TryCodeNeeds = Pick<IntakeDeps, 'database' | 'clock' | 'keyring' | 'rules' | 'rows'> & OfLinks;

function secondsUntil(until: Date, now: Date): number {
  return Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
}

/** For a code that was compared just now, before that was counted. */
export function wrongCode({ wrongTries }: Pick<LiveCode, 'wrongTries'>): AppError {
  const triesLeft = codeRules.tries - wrongTries - 1;
  const message = say('The code is not correct; tries left: {count}', { count: triesLeft });
  return invalidField('code', message, { code: 'OTP_INVALID' });
}

function refusal(judgement: Exclude<Judgement, { kind: 'try' }>, now: Date): AppError {
  return judgement.kind === 'expired'
    ? new AppError({ code: 'OTP_EXPIRED', publicMessage: say('The code has expired; ask for a new one') })
    : new AppError({
        code: 'OTP_ATTEMPTS_EXCEEDED',
        retryAfterSeconds: secondsUntil(judgement.until, now),
      });
}

/** What may be tried now. @throws AppError OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED */
export function codeToTry(codes: readonly SentCode[], options: Parameters<typeof judge>[1]): LiveCode {
  const judgement = judge(codes, options);
  if (judgement.kind !== 'try') throw refusal(judgement, options.now);
  return judgement.code;
}

/** The same for what the link is good for. @throws AppError REQUEST_STATE_NOT_ALLOWED, OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED */
function codeOfLink(claim: FoundClaim, now: Date, intervalSeconds: number): LiveCode {
  const purpose = claim.codePurpose;
  if (purpose === undefined) throw stateNotAllowed(claim.status);
  return codeToTry(claim.codes, { purpose, now, intervalSeconds });
}

/** Counts a wrong try, in the audit log too: rows of codes can be put back, and those of the log cannot. */
export const countWrong = statement<{ readonly id: string; readonly now: Date }>({
  name: 'count-wrong-code',
  sql: `
with counted as (
  update claim_code set wrong_tries = least(wrong_tries + 1, ${codeRules.tries}) where id = :id returning request_id
)
insert into audit (at, actor, action, target, details)
select :now, 'service:intake', '${wrongCodeAction}', 'request:' || request_id, jsonb_build_object('codeId', :id::text)
from counted`,
});

/** A code serves once; without its digest nobody can try it again. */
export const useUp = statement<{ readonly id: string; readonly now: Date }>({
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
  /** A right code stays good for its time: it was checked alone. */
  readonly staysGood?: boolean;
}

export interface Unlocked {
  readonly em: EntityManager;
  readonly claim: FoundClaim;
  readonly now: Date;
}

/**
 * Checks a code and, where it is right, uses it up and does `work` in the same transaction, under the request's
 * lock: of guesses at once each is counted before the next is compared. A wrong one is counted and stays counted.
 * @returns undefined where the request has left `state` before the lock was had; nothing was tried then
 * @throws AppError OTP_INVALID, OTP_EXPIRED, OTP_ATTEMPTS_EXCEEDED, CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED
 */
export async function tryCode<Done>(
  deps: TryCodeNeeds,
  attempt: CodeAttempt,
  work: (unlocked: Unlocked) => Promise<Done>,
): Promise<{ readonly done: Done } | undefined> {
  const { database, clock, keyring, rules, links } = deps;
  const started = clock();
  const seen = await links.find(database, attempt.tokenSha256, started);
  if (seen.state !== attempt.state) return undefined;
  // What is refused anyway waits for no lock: a flood of guesses must not fill the pool.
  const candidate = codeOfLink(seen, started, rules.codeIntervalSeconds);
  const { requestId } = seen;
  const { id, sealedKey } = candidate;
  const given = await keyring.openText(attempt.sealedCode, {
    purpose: 'entered-code',
    owner: attempt.tokenSha256,
  });
  const digest = await digestGiven(keyring, { requestId, id, sealedKey }, given);
  // A wrong try must be committed, so it is a result here and thrown after.
  const outcome = await database.transaction(async (em) => {
    const { now, ...claim } = await links.lock(em, attempt.tokenSha256, clock);
    if (claim.state !== attempt.state) return { left: true } as const;
    const code = codeOfLink(claim, now, rules.codeIntervalSeconds);
    if (!sameDigest(code.digest, digest)) {
      await countWrong.run(em, { id: code.id, now });
      return { wrong: wrongCode(code) } as const;
    }
    if (!attempt.staysGood) await useUp.run(em, { id: code.id, now });
    return { done: await work({ em, claim, now }) } as const;
  });
  if ('wrong' in outcome) throw outcome.wrong;
  return 'left' in outcome ? undefined : outcome;
}
