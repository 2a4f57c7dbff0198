import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

const bytes = 32;

/** Creates a MAC: `<kid>.<HMAC-SHA-256, base64url>` (RFC 2104). */
export function makeMac([kid, key]: readonly [kid: string, key: KeyObject], data: string): string {
  return `${kid}.${digest(key, data).toString('base64url')}`;
}

/** Checks a MAC. The key is found by its id; a key of another service, or an ended one, is unknown. */
export function isMac(keys: ReadonlyMap<string, KeyObject>, data: string, mac: string): boolean {
  const kid = readKid(mac);
  const key = keys.get(kid);
  if (key === undefined) return false;
  const given = Buffer.from(mac.slice(kid.length + 1), 'base64url');
  return given.length === bytes && timingSafeEqual(given, digest(key, data));
}

export function readKid(mac: string): string {
  return mac.slice(0, Math.max(mac.indexOf('.'), 0));
}

function digest(key: KeyObject, data: string): Buffer {
  return createHmac('sha256', key).update(data, 'utf8').digest();
}
