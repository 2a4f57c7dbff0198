import { randomBytes } from 'node:crypto';
import { challengeBytes } from '@rubrica/contracts/shared/challenge-bytes';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { statement } from '@rubrica/database';
import { isAuthentic } from '../../base/is-authentic.ts';
import { forgetExpired } from '../../base/sweeper-task.ts';
import type { AccessDeps } from '../deps.ts';

export const challengeLifeMs = 5 * MINUTE_MS;

type ChallengeDeps = Pick<AccessDeps, 'database' | 'rows' | 'clock'>;

interface Challenge {
  readonly challenge: string;
  /** Who enrols a passkey by it, or approves a change; null for a sign-in. */
  readonly operatorId: string | null;
}

const insert = statement<Challenge & { readonly expiresAt: Date; readonly mac: string }>({
  name: 'insert-operator-challenge',
  sql: `insert into operator_challenge (challenge, operator_id, expires_at, mac)
    values (:challenge, :operatorId::uuid, :expiresAt, :mac) returning 1`,
});

const use = statement<
  Challenge & { readonly now: Date },
  { readonly stored: Readonly<Record<string, unknown>> }
>({
  name: 'use-operator-challenge',
  sql: `delete from operator_challenge where challenge = :challenge and expires_at > :now
    and operator_id is not distinct from :operatorId::uuid returning to_jsonb(operator_challenge) as stored`,
});

/** 256 random bits, Base64url. */
export function newChallenge(operatorId: string | null, deps: ChallengeDeps): Promise<string> {
  return keep({ challenge: randomBytes(challengeBytes.other).toString('base64url'), operatorId }, deps);
}

/**
 * What a passkey signs to approve a change: its digest, and 128 random bits behind it. By the digest alone a signature
 * would count again for an equal change that is proposed anew.
 */
export function newApprovalChallenge(
  { operatorId, digest }: { readonly operatorId: string; readonly digest: string },
  deps: ChallengeDeps,
): Promise<string> {
  const challenge = Buffer.concat([Buffer.from(digest, 'hex'), randomBytes(challengeBytes.random)]).toString(
    'base64url',
  );
  return keep({ challenge, operatorId }, deps);
}

/** The digest (hex) that a challenge was made for; undefined for one that was made for something else. */
export function digestIn(challenge: string): string | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  return bytes.length === challengeBytes.digest + challengeBytes.random
    ? bytes.subarray(0, challengeBytes.digest).toString('hex')
    : undefined;
}

async function keep({ challenge, operatorId }: Challenge, deps: ChallengeDeps): Promise<string> {
  const expiresAt = new Date(deps.clock().getTime() + challengeLifeMs);
  const { mac } = deps.rows.protect('operator_challenge', {
    id: challenge,
    challenge,
    operatorId,
    expiresAt,
  });
  await insert.run(deps.database, { challenge, operatorId, expiresAt, mac });
  return challenge;
}

/**
 * Committed when it returns. A row without a valid MAC would have a signature count again that was seen once.
 * @returns whether it was asked of this one, a moment ago, and not used before
 */
export async function useChallenge(challenge: Challenge, deps: ChallengeDeps): Promise<boolean> {
  const [row] = await use.run(deps.database, { ...challenge, now: deps.clock() });
  if (row === undefined) return false;
  return isAuthentic(deps.rows, 'operator_challenge', { ...row.stored, id: challenge.challenge, version: 1 });
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
