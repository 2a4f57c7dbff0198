import { randomBytes } from 'node:crypto';
import { challengeBytes } from '@rubrica/contracts/shared/challenge-bytes';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { statement } from '@rubrica/database/statement';
import { isAuthentic } from '../../base/is-authentic.ts';
import { deleteExpired } from '../../base/sweeper-task.ts';
import type { AccessDeps } from '../deps.ts';

export const challengeLifeMs = 5 * MINUTE_MS;

type ChallengeDeps = Pick<AccessDeps, 'database' | 'rows' | 'clock'>;

interface Challenge {
  readonly challenge: string;
  /** Operator who enrols a passkey or approves a change by it; null for a sign-in. */
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

/** Creates a challenge of 256 random bits, Base64url. */
export function newChallenge(operatorId: string | null, deps: ChallengeDeps): Promise<string> {
  return store({ challenge: randomBytes(challengeBytes.other).toString('base64url'), operatorId }, deps);
}

/**
 * Creates the challenge that a passkey signs to approve a change: the digest of the change, then 128 random
 * bits. With the digest alone a signature would count again for an equal change that is proposed anew.
 */
export function newApprovalChallenge(
  { operatorId, digest }: { readonly operatorId: string; readonly digest: string },
  deps: ChallengeDeps,
): Promise<string> {
  const challenge = Buffer.concat([Buffer.from(digest, 'hex'), randomBytes(challengeBytes.random)]).toString(
    'base64url',
  );
  return store({ challenge, operatorId }, deps);
}

/** Returns the digest (hex) in a challenge; undefined if the challenge has another purpose. */
export function readDigest(challenge: string): string | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  return bytes.length === challengeBytes.digest + challengeBytes.random
    ? bytes.subarray(0, challengeBytes.digest).toString('hex')
    : undefined;
}

async function store({ challenge, operatorId }: Challenge, deps: ChallengeDeps): Promise<string> {
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
 * Uses up a challenge, committed on return. Without the check of the MAC, a row could make a signature count
 * twice.
 * @returns true if it was created for this operator, is not expired and was unused
 */
export async function useChallenge(challenge: Challenge, deps: ChallengeDeps): Promise<boolean> {
  const [row] = await use.run(deps.database, { ...challenge, now: deps.clock() });
  if (row === undefined) return false;
  return isAuthentic(deps.rows, 'operator_challenge', { ...row.stored, id: challenge.challenge, version: 1 });
}

/** Returns the challenge that the browser reports; the signature covers it. */
export function readChallenge(clientDataJSON: string): string {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof data.challenge === 'string' ? data.challenge : '';
  } catch {
    return '';
  }
}

export const forgetChallenges = deleteExpired({
  name: 'forget-operator-challenges',
  table: 'operator_challenge',
  key: 'challenge',
  at: 'expires_at',
});
