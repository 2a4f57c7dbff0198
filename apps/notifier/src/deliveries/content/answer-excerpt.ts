import { listSentFields } from './sent-fields.ts';

/** Maximum length of a stored excerpt. */
const maxCharacters = 200;
/** Length of the pieces of a secret to search for; a shorter secret is searched for whole. */
const pieceLength = 5;

/**
 * Extracts the start of an answer for operators: one line of at most 200 characters. Receivers may echo what they
 * received: long runs without a space, such as a file or token, are removed. An answer that contains a piece of the
 * password is dropped entirely.
 * @param body sent body
 */
export function extractReceiverExcerpt(answer: string, body: Buffer): string | null {
  const secrets = listSentFields(body).filter(({ name }) => name === 'password');
  if (secrets.some(({ value }) => containsPiece(answer, String(value)))) return null;
  const line = answer
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .replaceAll(/[\w+/=-]{32,}/g, '…')
    .trim();
  return line === '' ? null : [...line].slice(0, maxCharacters).join('');
}

/** Encodings in which programs write text into JSON, addresses and pages. */
const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  encodeURIComponent,
  (text) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
  (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
];

function containsPiece(answer: string, secret: string): boolean {
  return encodings.some((encode) => splitPieces(encode(secret)).some((piece) => answer.includes(piece)));
}

function splitPieces(secret: string): string[] {
  const count = Math.max(1, secret.length - pieceLength + 1);
  return Array.from({ length: count }, (_, start) => secret.slice(start, start + pieceLength));
}
