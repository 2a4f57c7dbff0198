import { JsonStreamError } from './errors.ts';
import type { Separated } from './found-file.ts';
import {
  at,
  isPartOfIntegers,
  isWhiteSpace,
  isWholeEscape,
  isWholeNumber,
  literals,
  nextInNumber,
} from './grammar.ts';
import type { IntegerReader } from './integer-reader.ts';
import { createSeparator, type SeparatorOptions } from './separator.ts';
import { skipEscapes } from './skip-escapes.ts';
import { structureLimits } from './structure-limits.ts';
import { createUtf8Check } from './utf8-check.ts';

export interface JsonScanner {
  /**
   * Any piece of the document; best in pieces of tens of kilobytes, between which others may run.
   * @throws JsonStreamError NOT_JSON (RFC 8259), NOT_UTF8, TOO_COMPLEX; and what a writer throws
   */
  push(chunk: Buffer): void;
  /** @throws JsonStreamError NOT_JSON: the document is not complete */
  end(): Separated;
  /** Bytes of the document without its files, so far. */
  restBytes(): number;
}

const quote = 0x22;
const backslash = 0x5c;
const maxNumberLength = 1_000;

/**
 * Parses a JSON document while it arrives. Files, texts or arrays of integers, go to writers as bytes; everything else
 * is checked and kept for `JSON.parse`. It accepts what `JSON.parse` accepts, within the limits of structure.
 *
 * A state machine that reads each byte outside strings once. One closure of 190 lines, because every step reads and
 * sets the same state, and a call with a state object for each byte costs time.
 */
export function createJsonScanner(options: SeparatorOptions): JsonScanner {
  const { maxDepth, maxMarks, maxStrings } = structureLimits;
  const separator = createSeparator(options);
  const utf8 = createUtf8Check();
  const containers: ('object' | 'array')[] = [];
  let state: number = at.value;
  let depth = 0;
  let marks = 0;
  let strings = 0;
  let isKey = false;
  let escapeText = '';
  let literal = '';
  let literalAt = 0;
  let number = '';
  let taken = 0;
  /** Position in the chunk that is read. */
  let index = 0;

  const afterValue = () => {
    state = depth === 0 ? at.end : at.afterValue;
  };

  const open = (kind: 'object' | 'array', byte: number) => {
    depth += 1;
    if (depth > maxDepth) throw tooComplex();
    containers[depth] = kind;
    state = kind === 'array' ? at.elementOrEnd : at.keyOrEnd;
    separator.open(kind, byte, depth);
  };

  const close = (kind: 'object' | 'array', byte: number) => {
    if (containers[depth] !== kind) throw notJson();
    separator.close(byte, depth);
    depth -= 1;
    afterValue();
  };

  const beginString = (isOfKey: boolean) => {
    strings += 1;
    if (strings > maxStrings) throw tooComplex();
    isKey = isOfKey;
    state = at.string;
    separator.beginString(isKey, depth);
  };

  const endString = () => {
    if (utf8.isOpen()) throw notUtf8();
    separator.endString(isKey, depth);
    if (isKey) state = at.colon;
    else afterValue();
  };

  const take = (piece: Buffer, hasEscapes: boolean) => {
    if (piece.length === 0) return;
    if (!utf8.push(piece)) throw notUtf8();
    separator.piece(piece, hasEscapes);
  };

  const beginValue = (byte: number) => {
    if (byte === quote) return beginString(false);
    if (byte === 0x7b) return open('object', byte);
    if (byte === 0x5b) return open('array', byte);
    const word = literals[byte];
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      state = byte === 0x2d ? at.numberMinus : byte === 0x30 ? at.numberZero : at.numberInteger;
      number = String.fromCharCode(byte);
    } else if (word !== undefined) {
      literal = word;
      literalAt = 1;
      state = at.literal;
      separator.literal(depth);
    } else throw notJson();
    separator.byte(byte);
  };

  const endNumber = () => {
    separator.number(number.length > maxNumberLength ? undefined : number, depth);
    afterValue();
  };

  const afterElement = (byte: number) => {
    if (byte === 0x2c) {
      separator.byte(byte);
      state = containers[depth] === 'array' ? at.value : at.key;
      if (state === at.value) separator.next(depth);
    } else if (byte === 0x5d) close('array', byte);
    else if (byte === 0x7d) close('object', byte);
    else throw notJson();
  };

  /** One byte of a number. @returns false where the number has ended before it */
  const stepNumber = (byte: number): boolean => {
    const next = nextInNumber(state, byte);
    if (next === -1) {
      if (!isWholeNumber(state)) throw notJson();
      endNumber();
      return false;
    }
    state = next;
    if (number.length <= maxNumberLength) number += String.fromCharCode(byte);
    separator.byte(byte);
    return true;
  };

  const stepLiteral = (byte: number) => {
    if (byte !== literal.charCodeAt(literalAt)) throw notJson();
    literalAt += 1;
    if (literalAt === literal.length) afterValue();
    separator.byte(byte);
  };

  /** One byte outside strings. */
  const step = (byte: number) => {
    if (!isPartOfIntegers(byte)) {
      marks += 1;
      if (marks > maxMarks) throw tooComplex();
    }
    if (state >= at.numberMinus && stepNumber(byte)) return;
    if (state === at.literal) return stepLiteral(byte);
    if (isWhiteSpace(byte)) return;
    if (state === at.value) beginValue(byte);
    else if (state === at.elementOrEnd) byte === 0x5d ? close('array', byte) : beginValue(byte);
    else if (state === at.keyOrEnd && byte === 0x7d) close('object', byte);
    else if (state === at.key || state === at.keyOrEnd) {
      if (byte !== quote) throw notJson();
      beginString(true);
    } else if (state === at.colon) {
      if (byte !== 0x3a) throw notJson();
      separator.byte(byte);
      state = at.value;
    } else if (state === at.afterValue) afterElement(byte);
    else throw notJson();
  };

  /** @returns index of the first byte that is not part of the string any more, or of its escape */
  const runString = (chunk: Buffer, from: number): number => {
    const closing = chunk.indexOf(quote, from);
    const piece = chunk.subarray(from, closing === -1 ? chunk.length : closing);
    const escaped = piece.indexOf(backslash);
    const end = escaped === -1 ? from + piece.length : skipEscapes(chunk, from + escaped);
    take(chunk.subarray(from, end), escaped !== -1);
    if (end === chunk.length) return end;
    if (chunk[end] === quote) endString();
    else beginEscape();
    return end + 1;
  };

  /** An escape that the chunk breaks off, or that is none: read byte by byte. */
  const beginEscape = () => {
    if (utf8.isOpen()) throw notUtf8();
    escapeText = '\\';
    state = at.escape;
  };

  const stepEscape = (byte: number) => {
    escapeText += String.fromCharCode(byte);
    const isWhole = isWholeEscape(escapeText.slice(1));
    if (isWhole === undefined) throw notJson();
    if (!isWhole) return;
    separator.piece(Buffer.from(escapeText), true);
    state = at.string;
  };

  const runIntegers = (reader: IntegerReader, chunk: Buffer, from: number): number => {
    const before = reader.count();
    const after = reader.run(chunk, from, chunk.length);
    // A comma was taken with the last of them.
    if (reader.count() > before) state = at.value;
    return after;
  };

  /** @returns index of the first byte that was not taken */
  const run = (chunk: Buffer, from: number): number => {
    if (state === at.string) return runString(chunk, from);
    if (state === at.escape) {
      stepEscape(chunk[from] as number);
      return from + 1;
    }
    const reader = state <= at.elementOrEnd ? separator.integers(depth) : undefined;
    if (reader !== undefined) index = runIntegers(reader, chunk, from);
    if (index === chunk.length) return index;
    step(chunk[index] as number);
    return index + 1;
  };

  return {
    push(chunk) {
      try {
        for (index = 0; index < chunk.length; ) index = run(chunk, index);
      } catch (error) {
        throw located(
          error,
          taken + index + (state === at.string ? faultInString(chunk.subarray(index)) : 0),
        );
      }
      taken += chunk.length;
    },
    end() {
      if (isWholeNumber(state)) endNumber();
      if (state !== at.end) throw new JsonStreamError('NOT_JSON', { octet: taken, isIncomplete: true });
      return separator.take();
    },
    restBytes: separator.restBytes,
  };
}

function notJson(): JsonStreamError {
  return new JsonStreamError('NOT_JSON');
}

function notUtf8(): JsonStreamError {
  return new JsonStreamError('NOT_UTF8');
}

function tooComplex(): JsonStreamError {
  return new JsonStreamError('TOO_COMPLEX');
}

/** Position of a fault, found once there is one: to count in good documents would cost time. */
function located(error: unknown, offset: number): unknown {
  if (!(error instanceof JsonStreamError) || (error.code !== 'NOT_JSON' && error.code !== 'NOT_UTF8'))
    return error;
  return new JsonStreamError(error.code, { octet: offset + 1 });
}

/** Offset of the first byte that no string may hold, or 0 where a character began in the piece before. */
function faultInString(bytes: Buffer): number {
  const utf8 = createUtf8Check();
  const found = bytes.findIndex((byte) => byte < 0x20 || !utf8.push(Uint8Array.of(byte)));
  return Math.max(found, 0);
}
