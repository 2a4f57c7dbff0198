import type { Session, SessionSeal } from './sealed-session.ts';

/** `__Host-`: a browser takes it only with `Secure`, for this origin alone and for all of its paths. */
const name = '__Host-rubrica';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export const endedCookie = `${name}=; ${attributes}; Max-Age=0`;

export function sessionCookie(session: Session, { seal }: SessionSeal): string {
  return `${name}=${seal(session)}; ${attributes}`;
}

/** The session that a request brings; undefined for none, or one that we did not seal. */
export function readSession(header: string | undefined, { open }: SessionSeal): Session | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value) return open(value);
  }
  return undefined;
}
