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
   * Reads any piece of the document; best in pieces of tens of kilobytes, between which other work may run.
   * @throws JsonStreamError NOT_JSON (RFC 8259), NOT_UTF8, TOO_COMPLEX; and errors of a writer
   */
  push(chunk: Buffer): void;
  /**
   * Completes the document.
   * @throws JsonStreamError NOT_JSON: the document is not complete
   */
  end(): Separated;
  /** Counts the bytes of the document so far, without its files. */
  restBytes(): number;
}

const quote = 0x22;
const backslash = 0x5c;
const maxNumberLength = 1_000;

/**
 * Parses a JSON document while it arrives. Files, texts or arrays of integers, go to writers as bytes; the rest is
 * checked and kept for `JSON.parse`. It accepts all that `JSON.parse` accepts, within the limits of structure.
 *
 * It is a state machine that reads each byte outside strings once. It is one closure of 190 lines, because every step
 * reads and sets the same state, and a call with a state object for each byte costs time.
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
  /** Position in the current chunk. */
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

  /**
   * Reads one byte of a number.
   * @returns false if the number ended before it
   */
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

  /** Reads one byte outside strings. */
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

  /**
   * Reads a string.
   * @returns index of the first byte that is no longer part of the string or of its escape
   */
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

  /** Starts an escape that the chunk interrupts, or that is invalid: it is read byte by byte. */
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
    // A comma was read with the last integer.
    if (reader.count() > before) state = at.value;
    return after;
  };

  /**
   * Reads a part of the chunk.
   * @returns index of the first byte that was not read
   */
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
        throw withPosition(
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

/** Adds the position of a fault, computed only after one occurs: counting in valid documents would cost time. */
function withPosition(error: unknown, offset: number): unknown {
  if (!(error instanceof JsonStreamError) || (error.code !== 'NOT_JSON' && error.code !== 'NOT_UTF8'))
    return error;
  return new JsonStreamError(error.code, { octet: offset + 1 });
}

/** Finds the offset of the first byte that is invalid in a string, or 0 if a character began in the previous piece. */
function faultInString(bytes: Buffer): number {
  const utf8 = createUtf8Check();
  const found = bytes.findIndex((byte) => byte < 0x20 || !utf8.push(Uint8Array.of(byte)));
  return Math.max(found, 0);
}
