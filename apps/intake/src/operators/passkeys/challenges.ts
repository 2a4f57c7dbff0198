import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { type SqlRunner, statement } from '@rubrica/database';
import { forgetExpired } from '../../sweeper-task.ts';

export const challengeLifeMs = 5 * MINUTE_MS;

interface Challenge {
  readonly challenge: string;
  /** Who enrols a passkey by it; null for a sign-in. */
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
export async function newChallenge(sql: SqlRunner, operatorId: string | null, now: Date): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
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
