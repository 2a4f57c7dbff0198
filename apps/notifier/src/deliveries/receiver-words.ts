import { sentFields } from './sent-fields.ts';

/** Of what is kept of an answer. */
const mostCharacters = 200;
/** Pieces of a secret of this length are looked for: a shorter secret is looked for whole. */
const pieceLength = 5;

/**
 * How an answer begins, for operators: one line of at most 200 characters. Receivers print what came into what they answer:
 * long runs without a space, which a file or a token would be, are cut out, and of an answer that says a piece of the
 * password nothing is kept.
 * @param body what was sent
 */
export function wordsOf(answer: string, body: Buffer): string | null {
  const secrets = sentFields(body).filter(({ name }) => name === 'password');
  if (secrets.some(({ value }) => repeats(answer, String(value)))) return null;
  const line = answer
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .replaceAll(/[\w+/=-]{32,}/g, '…')
    .trim();
  return line === '' ? null : [...line].slice(0, mostCharacters).join('');
}

/** In the ways in which programs write text into JSON, addresses and pages. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  encodeURIComponent,
  (text) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
  (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
];

function repeats(answer: string, secret: string): boolean {
  return spellings.some((spell) => piecesOf(spell(secret)).some((piece) => answer.includes(piece)));
}

function piecesOf(secret: string): string[] {
  const count = Math.max(1, secret.length - pieceLength + 1);
  return Array.from({ length: count }, (_, start) => secret.slice(start, start + pieceLength));
}
