import { checkCedula } from '../cedula/cedula.ts';
import { hasKnownProvince, modulus11 } from '../check-digits.ts';

export type RucKind = 'natural' | 'juridical' | 'public';
/** Reason why a text is not a RUC; the first rule that fails, in this order. */
export type RucFault = 'FORMAT' | 'PROVINCE' | 'THIRD_DIGIT' | 'CHECK_DIGIT' | 'ESTABLISHMENT';
/** Result; `warning` is present if the classic modulus-11 digit does not match. */
export type RucResult =
  | { ok: true; value: string; kind: RucKind; warning?: 'CHECK_DIGIT' }
  | { ok: false; reason: RucFault };

const juridicalWeights = [4, 3, 2, 7, 6, 5, 4, 3, 2];
const publicWeights = [3, 2, 7, 6, 5, 4, 3, 2];

/**
 * Checks a company tax number: 13 digits, province as in a cédula, third digit 0–6 or 9, establishment not 000 (public
 * bodies: not 0000).
 *
 * A wrong modulus-11 digit (third digit 6 or 9) is only a warning. The tax authority has issued active numbers without
 * it since it ran out of numbers that satisfy it. The modulus-10 digit of a natural person's number is the cédula's own
 * and stays a rule.
 */
export function checkRuc(text: string): RucResult {
  if (!/^[0-9]{13}$/.test(text)) return { ok: false, reason: 'FORMAT' };
  if (!hasKnownProvince(text)) return { ok: false, reason: 'PROVINCE' };
  const third = Number(text[2]);
  if (third === 7 || third === 8) return { ok: false, reason: 'THIRD_DIGIT' };
  if (third < 6) return checkNatural(text);
  const { kind, digitHolds } = third === 9 ? asJuridical(text) : asPublicOrForeign(text);
  const establishment = kind === 'public' ? text.slice(9) : text.slice(10);
  if (Number(establishment) === 0) return { ok: false, reason: 'ESTABLISHMENT' };
  return digitHolds
    ? { ok: true, value: text, kind }
    : { ok: true, value: text, kind, warning: 'CHECK_DIGIT' };
}

function checkNatural(text: string): RucResult {
  if (!checkCedula(text.slice(0, 10)).ok) return { ok: false, reason: 'CHECK_DIGIT' };
  if (text.endsWith('000')) return { ok: false, reason: 'ESTABLISHMENT' };
  return { ok: true, value: text, kind: 'natural' };
}

function asJuridical(text: string): { kind: RucKind; digitHolds: boolean } {
  return { kind: 'juridical', digitHolds: modulus11(text, juridicalWeights) === Number(text[9]) };
}

/**
 * Decides between the two readings of third digit 6: public bodies (check digit ninth, establishment of four digits)
 * and foreign residents (a cédula and three digits). If both are valid, a tenth digit of 0 indicates the public body,
 * whose establishments are numbered from 0001.
 */
function asPublicOrForeign(text: string): { kind: RucKind; digitHolds: boolean } {
  const asPublic = modulus11(text, publicWeights) === Number(text[8]);
  const asForeign = checkCedula(text.slice(0, 10)).ok;
  if (asForeign && !(asPublic && text[9] === '0')) return { kind: 'natural', digitHolds: true };
  return { kind: 'public', digitHolds: asPublic };
}
