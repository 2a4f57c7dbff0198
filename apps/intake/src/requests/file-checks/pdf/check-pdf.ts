import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { FileLimits } from '../limits.ts';
import { ok, type Verdict } from '../verdict.ts';
import { findForbidden, findForbiddenAnywhere } from './forbidden.ts';
import { findStreams, unpackObjectStreams } from './object-streams.ts';

const noHeader: Verdict = { kind: 'unreadable', text: createText('file.unreadablePdf') };
const noPages: Verdict = { kind: 'doubtful', text: createText('file.noPages') };

/**
 * Searches a document for forbidden content, and counts its pages. Objects are searched everywhere, because
 * cross-reference tables of documents made by hand or by scanners are often wrong. Nothing is rendered.
 */
export function checkPdf(bytes: Buffer, limits: FileLimits['pdf']): Verdict {
  if (!bytes.subarray(0, 1_024).includes('%PDF-')) return noHeader;
  const text = bytes.toString('latin1');
  const objects = withoutStreams(text);
  const forbidden = findForbidden(objects) ?? findForbiddenAnywhere(text);
  if (forbidden) return forbidden;
  let pages = countPages(objects);
  for (const stream of unpackObjectStreams({ bytes, text }, limits)) {
    if ('fault' in stream) return stream.fault;
    const forbiddenInside = findForbidden(stream.text);
    if (forbiddenInside) return forbiddenInside;
    pages += countPages(stream.text);
    if (pages > limits.maxPages) break;
  }
  return judgePages(pages, limits.maxPages);
}

function judgePages(pages: number, maxPages: number): Verdict {
  if (pages === 0) return noPages;
  return pages > maxPages
    ? {
        kind: 'too-many-pages',
        text: createText('file.tooManyPages', { count: maxPages }),
      }
    : ok;
}

/** Returns the document without the bodies of its streams, which are compressed or text of pages. */
function withoutStreams(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { keyword, data } of findStreams(text)) {
    if (keyword < from) continue;
    const end = text.indexOf('endstream', data);
    // Searched once: else every stream that never ends would be searched to the end of the file.
    if (end === -1) break;
    parts.push(text.slice(from, data));
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

const objectOrPage = /(\d{1,10})[\s\0]{1,20}\d{1,5}[\s\0]{1,20}obj|\/Type[\s\0]{0,20}\/Page(?![A-Za-z0-9])/g;

/** Counts pages. An object that a later revision repeats counts once. */
function countPages(text: string): number {
  const numbered = new Set<string>();
  let unnumbered = 0;
  let object: string | undefined;
  for (const match of text.matchAll(objectOrPage)) {
    if (match[1] !== undefined) object = match[1];
    else if (object === undefined) unnumbered += 1;
    else numbered.add(object);
  }
  return numbered.size + unnumbered;
}
