import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { FileLimits } from '../limits.ts';
import type { Verdict } from '../verdict.ts';
import { hasZlibHeader, type Inflated, inflateBounded } from './inflate-bounded.ts';
import { findNameEnd, findNames } from './names.ts';
import { readStreamDictionaries, skipBlanks } from './stream-dictionaries.ts';

/** Filters and parameters under which inflating does not reveal objects. */
const otherEncodings = new Set([
  ...['ASCIIHexDecode', 'AHx', 'ASCII85Decode', 'A85', 'LZWDecode', 'LZW', 'RunLengthDecode', 'RL'],
  ...['Crypt', 'Predictor'],
]);

const hidden: Verdict = {
  kind: 'active-content',
  text: createText('file.hiddenObjects'),
};
const bomb: Verdict = {
  kind: 'bomb',
  text: createText('file.pdfBomb'),
};

/** Keys of a stream's filters and of their parameters. */
const filterNames = new Set(['Filter', 'F', 'DecodeParms', 'DP']);
const blanks = new Set(['\0', '\t', '\n', '\f', '\r', ' ']);

/** Size that suffices for every dictionary that a program writes before an object stream. */
const dictionaryWindow = 4_096;
/** Size that suffices to see whether numbers of objects come first. */
const peekBytes = 512;
/** Deflate produces at most 1,032 times as much. */
const maxPeekedBytes = 1_032 * peekBytes;
const maxHeadBytes = 4_096;

/** Finds the data of each `stream`; nothing is skipped, so that no stream can hide inside another. */
export function* findStreams(text: string): Generator<{ keyword: number; data: number }> {
  for (let at = text.indexOf('stream'); at !== -1; at = text.indexOf('stream', at + 6)) {
    if (text.startsWith('end', at - 3)) continue;
    let data = at + 6;
    while (text[data] === ' ' || text[data] === '\t') data += 1;
    if (text[data] === '\r') data += 1;
    if (text[data] === '\n') data += 1;
    if (data > at + 6) yield { keyword: at, data };
  }
}

/**
 * Unpacks the streams that hold objects (ISO 32000-2, 7.5.7), one at a time.
 * @returns a fault that needs no unpacking, or the text of the objects of each
 */
export function* unpackObjectStreams(
  document: { readonly bytes: Buffer; readonly text: string },
  limits: FileLimits['pdf'],
): Generator<{ readonly fault: Verdict } | { readonly text: string }> {
  const { bytes, text } = document;
  let left = limits.maxUnpackedBytes;
  let count = 0;
  let broken = 0;
  for (const dictionary of readStreamDictionaries(text))
    if (dictionary === 'too-nested' || isEncodedOtherwise(dictionary)) return yield { fault: hidden };
  for (const { keyword, data } of findStreams(text)) {
    count += 1;
    if (count > limits.maxStreams) return yield { fault: bomb };
    const before = readTextBefore(text, keyword);
    if (isEncodedOtherwise(afterLastObject(before))) return yield { fault: hidden };
    if (!hasZlibHeader(bytes, data)) continue;
    const rest = bytes.subarray(data);
    // Finding how far a broken stream goes takes many tries.
    const peeked = inflateBounded(rest.subarray(0, peekBytes), maxPeekedBytes);
    if (peeked !== 'too-large' && peeked.isBroken) broken += 1;
    if (broken > limits.maxBrokenStreams) return yield { fault: hidden };
    if (!announcesObjects(before) && !looksLikeObjects(peeked)) continue;
    const inflated = inflateBounded(rest, Math.min(left, limits.maxStreamBytes));
    if (inflated === 'too-large') return yield { fault: bomb };
    if (inflated.isBroken) broken += 1;
    left = Math.max(1, left - inflated.bytes.length);
    yield { text: inflated.bytes.toString('latin1') };
  }
}

/**
 * Returns whether the dictionary announces objects: every object stream says where its first object begins.
 */
function announcesObjects(before: string): boolean {
  for (const { name } of findNames(before)) if (name === 'ObjStm' || name === 'First') return true;
  return false;
}

/** Returns the text before a stream, without the white space that may follow its dictionary. */
function readTextBefore(text: string, keyword: number): string {
  let end = keyword;
  while (end > 0 && blanks.has(text[end - 1] as string)) end -= 1;
  return text.slice(Math.max(0, end - dictionaryWindow), end);
}

/** Limit of filter keys, each of which is followed to its value. No stream has more. */
const maxFilterKeys = 8;

/** Returns a dictionary whose object has no beginning, as viewers that repair a document read it. */
function afterLastObject(before: string): string {
  return before.slice(Math.max(before.lastIndexOf('endobj'), before.lastIndexOf('endstream')) + 1);
}

/**
 * Returns whether inflating once does not reveal the objects: encoded otherwise, deflated twice, or by
 * filters that another object names.
 */
function isEncodedOtherwise(dictionary: string): boolean {
  const names = [...findNames(dictionary)];
  if (!names.some(({ name }) => name === 'ObjStm' || name === 'First')) return false;
  if (names.some(({ name }) => otherEncodings.has(name))) return true;
  if (names.filter(({ name }) => name === 'FlateDecode' || name === 'Fl').length > 1) return true;
  const keys = names.filter(({ name }) => filterNames.has(name));
  return keys.length > maxFilterKeys || keys.some(({ at }) => isReference(dictionary, at));
}

/**
 * Returns whether the value of the name at `at`, or the first of its list, begins with a number, as a
 * reference does.
 */
function isReference(text: string, at: number): boolean {
  let value = skipBlanks(text, findNameEnd(text, at));
  if (text[value] === '[') value = skipBlanks(text, value + 1);
  return /\d/.test(text.charAt(value));
}

/** Numbers, then an object. In a page's content the numbers are followed by an operator. */
const objectsAhead = /^(?:[\s\0]|%[^\r\n]*[\r\n]|\d)*(?:[<[(/+.-]|true|false|null|$)/;

function looksLikeObjects(peeked: Inflated): boolean {
  if (peeked === 'too-large') return true;
  const head = peeked.bytes.toString('latin1', 0, maxHeadBytes);
  return /^[\s\0]*[%\d]/.test(head) && objectsAhead.test(head);
}
