import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../base/sha256-hex.ts';

/**
 * Refresh token as it is presented: `<session id>.<family>.<secret>`. The family is the same in all tokens of
 * a session.
 */
export interface RefreshToken {
  readonly sessionId: string;
  readonly family: string;
  readonly secret: string;
}

const tokenPattern =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/** Creates the first token of a session. */
export function createRefreshToken(sessionId: string): RefreshToken {
  return { sessionId, family: randomBytes(16).toString('base64url'), secret: newSecret() };
}

export function createNextRefreshToken(token: RefreshToken): RefreshToken {
  return { ...token, secret: newSecret() };
}

export function formatRefreshToken({ sessionId, family, secret }: RefreshToken): string {
  return `${sessionId}.${family}.${secret}`;
}

export function parseRefreshToken(text: string): RefreshToken | undefined {
  const [, sessionId, family, secret] = tokenPattern.exec(text) ?? [];
  return sessionId && family && secret ? { sessionId, family, secret } : undefined;
}

export interface StoredRefresh {
  readonly familySha256: string;
  readonly refreshSha256: string;
  readonly previousSha256: string | null;
  readonly lastUsedAt: Date;
}

/** Time after its use during which a token is accepted once more, from a concurrent call. */
const graceMs = 10_000;

/**
 * Judges a refresh token of a session. It is the current one, or the previous one, which a concurrent call
 * has just used. Else it is used up, so that two parties have it, or unknown.
 */
export function judgeRefreshToken(
  { family, secret }: RefreshToken,
  { familySha256, refreshSha256, previousSha256, lastUsedAt }: StoredRefresh,
  now: Date,
): 'present' | 'just-used' | 'used-up' | 'unknown' {
  if (!matchesHash(familySha256, family)) return 'unknown';
  if (matchesHash(refreshSha256, secret)) return 'present';
  const isPrevious = previousSha256 !== null && matchesHash(previousSha256, secret);
  return isPrevious && now.getTime() - lastUsedAt.getTime() <= graceMs ? 'just-used' : 'used-up';
}

function matchesHash(hash: string, text: string): boolean {
  const [left, right] = [Buffer.from(hash), Buffer.from(sha256Hex(text))];
  return left.length === right.length && timingSafeEqual(left, right);
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
