import { Secret, TOTP } from 'otpauth';

/** Number of steps accepted before and after the current one: clocks differ, and people are slow. */
const window = 1;

/** Form of all codes; apps for codes support no other one everywhere. */
export const totpForm = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/**
 * Finds the step of a time-based code (RFC 6238) around a time.
 * @param after step of the last accepted code: none counts twice
 * @returns undefined for a wrong code
 */
export function findStep(
  secret: Uint8Array,
  code: string,
  { now, after }: { readonly now: Date; readonly after: number },
): number | undefined {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...totpForm, secret: toSecret(secret), token: code, timestamp, window });
  if (delta === null) return undefined;
  const step = TOTP.counter({ ...totpForm, timestamp }) + delta;
  return step > after ? step : undefined;
}

/** Encodes bytes as apps for codes accept them: RFC 4648 §6 without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  return toSecret(bytes).base32;
}

/** Formats the content of a QR code (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export function formatOtpauthUri(
  secret: Uint8Array,
  { issuer, account }: { issuer: string; account: string },
): string {
  return new TOTP({ ...totpForm, secret: toSecret(secret), issuer, label: account }).toString();
}

/** Copies the bytes: a small Buffer is a part of a larger one, which the library would take for the secret. */
function toSecret(bytes: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer });
}
