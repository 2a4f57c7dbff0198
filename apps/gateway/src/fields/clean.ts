import { isStreamSafe } from '@rubrica/contracts/shared/stream-safe';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Fields that are not trimmed: a blank at the end is part of a password. */
const verbatimFields: ReadonlySet<string> = new Set(['password', 'client_secret']);

/**
 * Normalises a value for the rules: NFC, trimmed; empty text and null count as absent. Text that is not stream-safe is
 * not normalised; `isPlainText` refuses it.
 */
export function normalizeValue(name: string, value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (typeof value !== 'string' || verbatimFields.has(name)) return value;
  const text = (isStreamSafe(value) ? value.normalize('NFC') : value).trim();
  return text === '' ? undefined : text;
}

/**
 * Returns whether a text is plain: without control characters, unpaired surrogates or long runs of combining marks,
 * which no field may contain.
 */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL_CHARACTERS.test(text) && isStreamSafe(text);
}
