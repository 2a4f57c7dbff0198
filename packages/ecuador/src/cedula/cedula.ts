import { hasKnownProvince, modulus10 } from '../check-digits.ts';

/** Reason why a text is not a cédula; the first rule that fails, in this order. */
export type CedulaFault = 'FORMAT' | 'PROVINCE' | 'THIRD_DIGIT' | 'CHECK_DIGIT';
export type CedulaResult = { ok: true; value: string } | { ok: false; reason: CedulaFault };

/**
 * Checks an Ecuadorian identity number: ten digits, province 01–24 or 30, third digit at most 6 (6 identifies foreign
 * residents), modulus-10 check digit. A valid number is well-formed, but may never have been issued.
 */
export function checkCedula(text: string): CedulaResult {
  if (!/^[0-9]{10}$/.test(text)) return { ok: false, reason: 'FORMAT' };
  if (!hasKnownProvince(text)) return { ok: false, reason: 'PROVINCE' };
  if (Number(text[2]) > 6) return { ok: false, reason: 'THIRD_DIGIT' };
  if (modulus10(text.slice(0, 9)) !== Number(text[9])) return { ok: false, reason: 'CHECK_DIGIT' };
  return { ok: true, value: text };
}

const serials = 1_000_000;
/** Lower serials are reserved for numbers with an agreed meaning in the sandbox. */
const firstSerial = 1_000;

/**
 * Generates a well-formed cédula for tests and demonstrations. It is the same for the same seed, and different for any
 * two seeds less than 999,000 apart. It starts with 245 (province 24, third digit 5), a range that no registry is known
 * to have reached. So it should belong to no person.
 * @param seed any safe integer
 */
export function makeCedula(seed: number): string {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed must be a safe integer, got ${seed}`);
  const span = serials - firstSerial;
  const serial = firstSerial + (((seed % span) + span) % span);
  const firstNine = `245${String(serial).padStart(6, '0')}`;
  return `${firstNine}${modulus10(firstNine)}`;
}
