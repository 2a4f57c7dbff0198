import type { OperatorRole } from './api.ts';

/** What a sign-in gave. Keep it as a password is kept: who has it acts as the operator. */
export interface Session {
  readonly accessToken: string;
  /** When the access token ends, in milliseconds since 1970, by the clock of this machine. */
  readonly expiresAt: number;
  /** Serves once: each renewal gives the next one. Absent where the deployment gives none. */
  readonly refreshToken?: string;
  readonly role: OperatorRole;
}

/** The session that an answer holds; undefined where it asks for a second factor instead. */
export function sessionOf(answer: unknown, now: number): Session | undefined {
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

/** Whether it is time to ask for the next access token: a call that begins now may take a while. */
export function isDue({ expiresAt, refreshToken }: Session, now: number): boolean {
  return refreshToken !== undefined && expiresAt - now <= aheadMs;
}
