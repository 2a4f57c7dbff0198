import { checkCedula, checkRuc } from '@rubrica/ecuador';

/** Ten or thirteen digits on their own: within ids, serial numbers and hashes they mean something else. */
const candidates = /(?<![0-9A-Za-z])[0-9]{10}(?:[0-9]{3})?(?![0-9A-Za-z])/g;

/** Masks `1712345678` as `******5678`; at least half of a short number is hidden. */
function mask(number: string): string {
  return number.slice(Math.max(number.length - 4, Math.ceil(number.length / 2))).padStart(number.length, '*');
}

function maskText(text: string): string {
  return text.replace(candidates, (number) =>
    checkCedula(number).ok || checkRuc(number).ok ? mask(number) : number,
  );
}

/**
 * Masks identification numbers in an answer: in the fields of this name, and in any other text, such as a subject's
 * name or a comment. RUCs are masked too, because a person's begins with the cédula.
 */
export function maskIdentification(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskIdentification);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'identificationNumber' && typeof inner === 'string' ? mask(inner) : maskIdentification(inner),
    ]),
  );
}
