import { randomBytes } from 'node:crypto';

/**
 * Form field with a random value of 256 bits that identifies the browser of a revocation. A code is valid only with the
 * value that requested it. The hidden field works without cookies; the cookie keeps the value when the page is opened
 * again.
 */
export const browserField = 'browser';

const valuePattern = /^[A-Za-z0-9_-]{43}$/;
/** Longer than a code is valid, and short enough for a shared browser. */
const lifeSeconds = 15 * 60;

// `__Host-`: no other host can set it, and only https sends it.
function cookieName(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}rubrica-revoke`;
}

export function createBrowserValue(): string {
  return randomBytes(32).toString('base64url');
}

/** Reads the value from the form or cookie; undefined where it is malformed. */
export function readBrowserValue(
  form: Readonly<Record<string, unknown>>,
  { cookies, isSecure }: { readonly cookies: string | undefined; readonly isSecure: boolean },
): string | undefined {
  const begin = `${cookieName(isSecure)}=`;
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
  const cookieValue = pairs.find((pair) => pair.startsWith(begin))?.slice(begin.length);
  return [form[browserField], cookieValue].find(
    (value): value is string => typeof value === 'string' && valuePattern.test(value),
  );
}

export function formatBrowserCookie(value: string, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${cookieName(isSecure)}=${value}; Max-Age=${lifeSeconds}; Path=/; SameSite=Strict${secure}; HttpOnly`;
}
