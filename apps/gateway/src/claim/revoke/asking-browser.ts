import { randomBytes } from 'node:crypto';

/**
 * A random value of 256 bits that a browser keeps while it revokes: a code is good with the value that asked for it. The page
 * holds it in a hidden field, so that a browser without cookies can send it; the cookie keeps it where the page is opened anew.
 */
export const browserField = 'browser';

const shape = /^[A-Za-z0-9_-]{43}$/;
/** Longer than a code is good, and short enough for a browser that several people use. */
const lifeSeconds = 15 * 60;

// `__Host-`: no other host may set it, and no connection but https brings it.
function cookieName(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}rubrica-revoke`;
}

export function makeBrowserValue(): string {
  return randomBytes(32).toString('base64url');
}

/** The value that a form or its browser has brought; undefined where it is none. */
export function readBrowserValue(
  form: Readonly<Record<string, unknown>>,
  { cookies, isSecure }: { readonly cookies: string | undefined; readonly isSecure: boolean },
): string | undefined {
  const begin = `${cookieName(isSecure)}=`;
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
  const kept = pairs.find((pair) => pair.startsWith(begin))?.slice(begin.length);
  return [form[browserField], kept].find(
    (value): value is string => typeof value === 'string' && shape.test(value),
  );
}

export function browserCookie(value: string, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${cookieName(isSecure)}=${value}; Max-Age=${lifeSeconds}; Path=/; SameSite=Strict${secure}; HttpOnly`;
}
