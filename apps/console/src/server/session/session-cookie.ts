import type { Session, SessionSeal } from './sealed-session.ts';

/** `__Host-`: browsers accept it only with `Secure`, for this origin and all of its paths. */
const name = '__Host-rubrica';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export const formatEndedSessionCookie = `${name}=; ${attributes}; Max-Age=0`;

export function formatSessionCookie(session: Session, { seal }: SessionSeal): string {
  return `${name}=${seal(session)}; ${attributes}`;
}

/** Reads the session of a request; undefined without one, or for one that was not sealed here. */
export function readSession(header: string | undefined, { open }: SessionSeal): Session | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value) return open(value);
  }
  return undefined;
}
