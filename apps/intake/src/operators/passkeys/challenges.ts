import { randomBytes } from 'node:crypto';
import { challengeBytes } from '@rubrica/contracts/shared/challenge-bytes';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { type SqlRunner, statement } from '@rubrica/database';
import { forgetExpired } from '../../sweeper-task.ts';

export const challengeLifeMs = 5 * MINUTE_MS;

interface Challenge {
  readonly challenge: string;
  /** Who enrols a passkey by it, or approves a change; null for a sign-in. */
  readonly operatorId: string | null;
}

const insert = statement<Challenge & { readonly expiresAt: Date }>({
  name: 'insert-operator-challenge',
  sql: `insert into operator_challenge (challenge, operator_id, expires_at)
    values (:challenge, :operatorId::uuid, :expiresAt) returning 1`,
});

const use = statement<Challenge & { readonly now: Date }>({
  name: 'use-operator-challenge',
  sql: `delete from operator_challenge where challenge = :challenge and expires_at > :now
    and operator_id is not distinct from :operatorId::uuid returning 1`,
});

/** 256 random bits, Base64url. */
export function newChallenge(sql: SqlRunner, operatorId: string | null, now: Date): Promise<string> {
  return keep(sql, { challenge: randomBytes(challengeBytes.other).toString('base64url'), operatorId }, now);
}

/**
 * What a passkey signs to approve a change: its digest, and 128 random bits behind it. By the digest alone a signature
 * would count again for an equal change that is proposed anew.
 */
export function newApprovalChallenge(
  sql: SqlRunner,
  { operatorId, digest }: { readonly operatorId: string; readonly digest: string },
  now: Date,
): Promise<string> {
  const challenge = Buffer.concat([Buffer.from(digest, 'hex'), randomBytes(challengeBytes.random)]).toString(
    'base64url',
  );
  return keep(sql, { challenge, operatorId }, now);
}

/** The digest (hex) that a challenge was made for; undefined for one that was made for something else. */
export function digestIn(challenge: string): string | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  return bytes.length === challengeBytes.digest + challengeBytes.random
    ? bytes.subarray(0, challengeBytes.digest).toString('hex')
    : undefined;
}

async function keep(sql: SqlRunner, { challenge, operatorId }: Challenge, now: Date): Promise<string> {
  await insert.run(sql, { challenge, operatorId, expiresAt: new Date(now.getTime() + challengeLifeMs) });
  return challenge;
}

/** Committed when it returns. @returns whether it was asked of this one, a moment ago, and not used before */
export async function useChallenge(sql: SqlRunner, challenge: Challenge, now: Date): Promise<boolean> {
  return (await use.run(sql, { ...challenge, now })).length === 1;
}

/** What the browser says that it has signed; the signature is over it. */
export function challengeIn(clientDataJSON: string): string {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof data.challenge === 'string' ? data.challenge : '';
  } catch {
    return '';
  }
}

export const forgetChallenges = forgetExpired({
  name: 'forget-operator-challenges',
  table: 'operator_challenge',
  key: 'challenge',
  at: 'expires_at',
});
