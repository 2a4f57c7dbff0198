import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Verdict } from '../verdict.ts';
import { namesIn } from './names.ts';

type Fault = Exclude<Verdict, { readonly kind: 'ok' }>;

type Content =
  | 'script'
  | 'scriptOrMedia'
  | 'launch'
  | 'automaticActions'
  | 'embeddedFile'
  | 'embeddedMedia'
  | 'dynamicForm';

function active(name: Content): Fault {
  const content = createText(`file.content.${name}`);
  return {
    kind: 'active-content',
    text: createText('file.activeContent', { content }),
  };
}

/** Names that no document needs, and what they bring. */
const forbidden: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['Encrypt', { kind: 'encrypted', text: createText('file.encrypted') }],
  ['JavaScript', active('script')],
  ['JS', active('script')],
  ['Rendition', active('scriptOrMedia')],
  ['Launch', active('launch')],
  ['AA', active('automaticActions')],
  ['EmbeddedFile', active('embeddedFile')],
  ['EmbeddedFiles', active('embeddedFile')],
  ['RichMedia', active('embeddedMedia')],
  ['XFA', active('dynamicForm')],
]);

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
