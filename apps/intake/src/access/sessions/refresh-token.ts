import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../base/sha256-hex.ts';

/** A refresh token as it is shown: `<session id>.<family>.<secret>`. The family is the same in all of a session. */
export interface RefreshToken {
  readonly sessionId: string;
  readonly family: string;
  readonly secret: string;
}

const shape = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/** The first of a session. */
export function newRefreshToken(sessionId: string): RefreshToken {
  return { sessionId, family: randomBytes(16).toString('base64url'), secret: newSecret() };
}

export function nextRefreshToken(token: RefreshToken): RefreshToken {
  return { ...token, secret: newSecret() };
}

export function refreshTokenText({ sessionId, family, secret }: RefreshToken): string {
  return `${sessionId}.${family}.${secret}`;
}

export function readRefreshToken(text: string): RefreshToken | undefined {
  const [, sessionId, family, secret] = shape.exec(text) ?? [];
  return sessionId && family && secret ? { sessionId, family, secret } : undefined;
}

export interface StoredRefresh {
  readonly familySha256: string;
  readonly refreshSha256: string;
  readonly previousSha256: string | null;
  readonly lastUsedAt: Date;
}

/** How long after its use a token is taken once more, by who has asked at the same moment. */
const leewayMs = 10_000;

/**
 * What a refresh token is to its session: the present one; the one before, that another call used a moment ago; one that
 * was used up, so that two have it; or none of this session.
 */
export function judgeRefreshToken(
  { family, secret }: RefreshToken,
  { familySha256, refreshSha256, previousSha256, lastUsedAt }: StoredRefresh,
  now: Date,
): 'present' | 'just-used' | 'used-up' | 'unknown' {
  if (!isHashOf(familySha256, family)) return 'unknown';
  if (isHashOf(refreshSha256, secret)) return 'present';
  const isPrevious = previousSha256 !== null && isHashOf(previousSha256, secret);
  return isPrevious && now.getTime() - lastUsedAt.getTime() <= leewayMs ? 'just-used' : 'used-up';
}

function isHashOf(hash: string, text: string): boolean {
  const [left, right] = [Buffer.from(hash), Buffer.from(sha256Hex(text))];
  return left.length === right.length && timingSafeEqual(left, right);
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
