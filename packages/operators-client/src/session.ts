import type { OperatorRole } from './api.ts';

/** Session of a sign-in. Store it like a password: its bearer acts as the operator. */
export interface Session {
  readonly accessToken: string;
  /** End of the access token, in milliseconds since 1970, by the clock of this machine. */
  readonly expiresAt: number;
  /** Valid once: each renewal returns the next one. Undefined if the deployment issues none. */
  readonly refreshToken?: string;
  readonly role: OperatorRole;
}

/** Reads the session from an answer; undefined if it requires a second factor instead. */
export function readSessionAnswer(answer: unknown, now: number): Session | undefined {
  const { accessToken, expiresIn, refreshToken, role } = answer as Partial<Record<string, unknown>>;
  if (typeof accessToken !== 'string' || typeof expiresIn !== 'number') return undefined;
  return {
    accessToken,
    expiresAt: now + expiresIn * 1_000,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    role: role as OperatorRole,
  };
}

const aheadMs = 30_000;

/** Tells whether the access token should be renewed now: a call that starts now may take a while. */
export function isDue({ expiresAt, refreshToken }: Session, now: number): boolean {
  return refreshToken !== undefined && expiresAt - now <= aheadMs;
}
