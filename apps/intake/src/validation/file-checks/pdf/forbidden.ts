import { say } from '@rubrica/contracts/error-texts/say';
import type { Verdict } from '../verdict.ts';
import { namesIn } from './names.ts';

type Fault = Exclude<Verdict, { readonly kind: 'ok' }>;

function active(content: string): Fault {
  return {
    kind: 'active-content',
    says: say('holds {content}; print it into a new PDF and send that', { content }),
  };
}

/** Names that no document needs, and what they bring. */
const forbidden: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['Encrypt', { kind: 'encrypted', says: say('is encrypted; send it without a password') }],
  ['JavaScript', active('a script')],
  ['JS', active('a script')],
  ['Rendition', active('a script or media')],
  ['Launch', active('an action that starts a program')],
  ['AA', active('actions that start by themselves')],
  ['EmbeddedFile', active('an embedded file')],
  ['EmbeddedFiles', active('an embedded file')],
  ['RichMedia', active('embedded media')],
  ['XFA', active('a dynamic form')],
]);

/** All that is said of such a document. */
export const forbiddenTexts: ReadonlySet<string> = new Set([...forbidden.values()].map(({ says }) => says));

/** So short that compressed bytes hold them by chance. */
const short = new Set(['JS', 'AA']);

/** @param text the part of a document that holds objects and no compressed data */
export function findForbidden(text: string): Verdict | undefined {
  for (const { name } of namesIn(text)) {
    const verdict = forbidden.get(name);
    if (verdict) return verdict;
  }
  return undefined;
}

/**
 * @param text a whole document. Its cross-references say where objects begin, and may point into what
 *   looks like a string, a comment or a stream: so all bytes are looked through.
 */
export function findForbiddenAnywhere(text: string): Verdict | undefined {
  for (const { name } of namesIn(text)) {
    const verdict = short.has(name) ? undefined : forbidden.get(name);
    if (verdict) return verdict;
  }
  return undefined;
}
