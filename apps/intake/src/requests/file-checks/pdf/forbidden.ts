import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Verdict } from '../verdict.ts';
import { findNames } from './names.ts';

type Fault = Exclude<Verdict, { readonly kind: 'ok' }>;

type Content =
  | 'script'
  | 'scriptOrMedia'
  | 'launch'
  | 'automaticActions'
  | 'embeddedFile'
  | 'embeddedMedia'
  | 'dynamicForm';

function createActiveFault(name: Content): Fault {
  const content = createText(`file.content.${name}`);
  return {
    kind: 'active-content',
    text: createText('file.activeContent', { content }),
  };
}

/** Names that no document needs, and the fault of each. */
const forbiddenNames: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['Encrypt', { kind: 'encrypted', text: createText('file.encrypted') }],
  ['JavaScript', createActiveFault('script')],
  ['JS', createActiveFault('script')],
  ['Rendition', createActiveFault('scriptOrMedia')],
  ['Launch', createActiveFault('launch')],
  ['AA', createActiveFault('automaticActions')],
  ['EmbeddedFile', createActiveFault('embeddedFile')],
  ['EmbeddedFiles', createActiveFault('embeddedFile')],
  ['RichMedia', createActiveFault('embeddedMedia')],
  ['XFA', createActiveFault('dynamicForm')],
]);

/** Names so short that compressed bytes contain them by chance. */
const shortNames = new Set(['JS', 'AA']);

/** Finds a forbidden name. @param text part of a document that holds objects and no compressed data */
export function findForbidden(text: string): Verdict | undefined {
  for (const { name } of findNames(text)) {
    const verdict = forbiddenNames.get(name);
    if (verdict) return verdict;
  }
  return undefined;
}

/**
 * Finds a forbidden name in all bytes. Cross-references say where objects begin, and may point into an
 * apparent string, comment or stream.
 * @param text whole document
 */
export function findForbiddenAnywhere(text: string): Verdict | undefined {
  for (const { name } of findNames(text)) {
    const verdict = shortNames.has(name) ? undefined : forbiddenNames.get(name);
    if (verdict) return verdict;
  }
  return undefined;
}
