import { createHmac, timingSafeEqual } from 'node:crypto';

const stepMs = 30_000;
const digits = 6;
/** Before and after the present one: clocks differ, and people are slow. */
const window = 1;

/** The code of one step (RFC 4226 §5.3). */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * The step of a time-based code (RFC 6238, SHA-1, 30 s) around a moment.
 * @param after the step of the last code that was taken: none counts twice
 * @returns undefined for a code that is wrong
 */
export function stepOfCode(
  secret: Uint8Array,
  code: string,
  { now, after }: { readonly now: Date; readonly after: number },
): number | undefined {
  const present = Math.floor(now.getTime() / stepMs);
  const steps = Array.from({ length: 2 * window + 1 }, (_, index) => present - window + index);
  const given = Buffer.from(code);
  return steps.find((step) => {
    const expected = Buffer.from(codeOf(secret, step));
    return step > after && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 §6 without padding, as apps for codes take it. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31];
}

/** What a QR code holds (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export function otpauthUri(
  secret: Uint8Array,
  { issuer, account }: { issuer: string; account: string },
): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const parameters = new URLSearchParams({
    secret: base32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(digits),
    period: String(stepMs / 1_000),
  });
  return `otpauth://totp/${label}?${parameters.toString().replaceAll('+', '%20')}`;
}
