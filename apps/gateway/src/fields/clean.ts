import { isStreamSafe } from '@rubrica/contracts/shared/stream-safe';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Not trimmed: a blank at the end is part of a password. */
const verbatimFields: ReadonlySet<string> = new Set(['password', 'client_secret']);

/**
 * A value as the rules see it: NFC, trimmed; an empty text and null count as absent. Text that is not stream-safe is not
 * normalised; `isPlainText` refuses it.
 */
export function clean(name: string, value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (typeof value !== 'string' || verbatimFields.has(name)) return value;
  const text = (isStreamSafe(value) ? value.normalize('NFC') : value).trim();
  return text === '' ? undefined : text;
}

/** No field may hold control characters, half a surrogate pair or a long run of marks, even where its schema would allow it. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL_CHARACTERS.test(text) && isStreamSafe(text);
}
