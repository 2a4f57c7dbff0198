import { JsonStreamError } from './errors.ts';
import { createFileText, type FileText } from './file-text.ts';
import { at, isWhiteSpace, isWholeEscape, isWholeNumber, literals, nextInNumber } from './grammar.ts';
import { createIntegerReader, type IntegerReader, type WriteBlock } from './integer-reader.ts';
import { createPlaces } from './places.ts';
import { createRestText } from './rest-text.ts';
import { structureLimits } from './structure-limits.ts';
import { createUtf8Check } from './utf8-check.ts';

/** A file field as the document had it. */
export type FoundFile =
  /** Its bytes went to the writer that was opened for this index. */
  | { readonly kind: 'streamed'; readonly place: string }
  /** A text short enough to be kept as it is. */
  | { readonly kind: 'text'; readonly place: string; readonly text: string }
  | { readonly kind: 'undecodable'; readonly place: string };

export interface Scanned {
  /** The document without its files: in the place of each a text, its index in `files`. JSON in UTF-8. */
  readonly rest: Buffer;
  readonly files: readonly FoundFile[];
}

/** Takes one file. A throw ends the document. */
export interface FileWriter {
  readonly write: WriteBlock;
  /** @param isFile false: what was written is the beginning of something that is no file */
  end(isFile: boolean): void;
}

export interface ScannerOptions {
  /** Where files are: `field` or `list[].field`. */
  readonly files: readonly string[];
  /** Called at the first block of a file; no second one is open at the same time. */
  readonly openFile: (file: { readonly index: number; readonly place: string }) => FileWriter;
}

export interface JsonScanner {
  /**
   * Any piece of the document; best in pieces of tens of kilobytes, between which others may run.
   * @throws JsonStreamError NOT_JSON (RFC 8259), NOT_UTF8, TOO_COMPLEX; and what a writer throws
   */
  push(chunk: Buffer): void;
  /** @throws JsonStreamError NOT_JSON: the document is not complete */
  end(): Scanned;
  /** Bytes of the document without its files, so far. */
  restBytes(): number;
}

const quote = 0x22;
const backslash = 0x5c;
const maxNumberLength = 1_000;

/**
 * Takes a JSON document apart while it arrives. Files, texts or arrays of integers, go to writers as bytes; all else
 * is kept, checked, for `JSON.parse`. It accepts what `JSON.parse` accepts, within the limits of structure.
 */
export function createJsonScanner({ files: filePlaces, openFile }: ScannerOptions): JsonScanner {
  const { maxDepth, maxMarks, maxStrings } = structureLimits;
  const places = createPlaces(filePlaces);
  const rest = createRestText();
  const utf8 = createUtf8Check();
  const found: FoundFile[] = [];
  const containers: ('object' | 'array')[] = [];
  let state: number = at.value;
  let depth = 0;
  let marks = 0;
  let strings = 0;

  /** What the string under way is: a key, a value that is kept, a file. */
  let isKey = false;
  let key: Buffer[] | undefined;
  let text: FileText | undefined;
  let escapeText = '';
  let literal = '';
  let literalAt = 0;
  let number = '';
  /** The array of a file, from its bracket to its end; nothing inside it is kept. */
  let array: { readonly place: string; readonly depth: number; readonly reader: IntegerReader } | undefined;
  let isBytes = false;

  const keep = (byte: number) => {
    if (array === undefined) rest.byte(byte);
  };

  let writer: FileWriter | undefined;

  const writing =
    (place: string): WriteBlock =>
    (block) => {
      writer ??= openFile({ index: found.length, place });
      writer.write(block);
    };

  const settle = (file: FoundFile) => {
    writer?.end(file.kind === 'streamed');
    writer = undefined;
    rest.bytes(Buffer.from(`"${found.length}"`));
    found.push(file);
  };

  const afterValue = () => {
    state = depth === 0 ? at.end : at.afterValue;
  };

  const open = (kind: 'object' | 'array', byte: number) => {
    const place = array === undefined && kind === 'array' ? places.file(depth) : undefined;
    if (array !== undefined && depth === array.depth) isBytes = false;
    depth += 1;
    if (depth > maxDepth) throw new JsonStreamError('TOO_COMPLEX');
    containers[depth] = kind;
    state = kind === 'array' ? at.elementOrEnd : at.keyOrEnd;
    if (place !== undefined) {
      array = { place, depth, reader: createIntegerReader(writing(place)) };
      isBytes = true;
      return;
    }
    if (array === undefined) places.open(depth, kind);
    keep(byte);
  };

  const close = (kind: 'object' | 'array', byte: number) => {
    if (containers[depth] !== kind) throw notJson();
    if (array?.depth === depth) {
      const { place, reader } = array;
      const isFile = isBytes && reader.count() > 0;
      if (isFile) reader.flush();
      array = undefined;
      settle({ kind: isFile ? 'streamed' : 'undecodable', place });
    } else keep(byte);
    depth -= 1;
    afterValue();
  };

  const beginString = (isOfKey: boolean) => {
    strings += 1;
    if (strings > maxStrings) throw new JsonStreamError('TOO_COMPLEX');
    isKey = isOfKey;
    state = at.string;
    if (array !== undefined) {
      if (depth === array.depth) isBytes = false;
      return;
    }
    key = isOfKey && (depth === 1 || depth === 3) ? [] : undefined;
    const place = isOfKey ? undefined : places.file(depth);
    text = place === undefined ? undefined : createFileText(writing(place));
    if (text === undefined) rest.byte(quote);
  };

  const endString = () => {
    if (utf8.isOpen()) throw new JsonStreamError('NOT_UTF8');
    if (text !== undefined) {
      const place = places.file(depth) as string;
      const ended = text.end();
      text = undefined;
      if ('text' in ended) settle({ kind: 'text', place, text: ended.text });
      else settle({ kind: ended.isSound ? 'streamed' : 'undecodable', place });
    } else keep(quote);
    if (!isKey) return afterValue();
    if (key !== undefined && array === undefined) places.key(depth, Buffer.concat(key));
    state = at.colon;
  };

  /** A piece of a string without quote or escape. */
  const take = (piece: Buffer) => {
    if (piece.length === 0) return;
    if (!utf8.push(piece)) throw new JsonStreamError('NOT_UTF8');
    if (text === undefined) {
      assertNoControl(piece);
      if (array !== undefined) return;
      rest.bytes(piece);
      key?.push(Buffer.from(piece));
      return;
    }
    // Base64 holds no control character: only where a piece is something else it is looked through.
    if (!text.isLong()) assertNoControl(piece);
    if (!text.plain(piece)) assertNoControl(piece);
  };

  const endEscape = () => {
    if (text !== undefined) text.escape(escapeText);
    else if (array === undefined) {
      const bytes = Buffer.from(escapeText);
      rest.bytes(bytes);
      key?.push(bytes);
    }
    state = at.string;
  };

  const beginValue = (byte: number) => {
    if (byte === quote) return beginString(false);
    if (byte === 0x7b) return open('object', byte);
    if (byte === 0x5b) return open('array', byte);
    const isNumber = byte === 0x2d || (byte >= 0x30 && byte <= 0x39);
    if (isNumber) {
      state = byte === 0x2d ? at.numberMinus : byte === 0x30 ? at.numberZero : at.numberInteger;
      number = String.fromCharCode(byte);
    } else {
      const word = literals[byte];
      if (word === undefined) throw notJson();
      literal = word;
      literalAt = 1;
      state = at.literal;
      if (array?.depth === depth) isBytes = false;
    }
    keep(byte);
  };

  const endNumber = () => {
    if (array?.depth === depth && isBytes) {
      const value = number.length > maxNumberLength ? Number.NaN : Number(number);
      if (Number.isInteger(value) && value >= -128 && value <= 255) array.reader.add(value);
      else isBytes = false;
    }
    afterValue();
  };

  const separate = (byte: number) => {
    if (byte === 0x2c) {
      keep(byte);
      state = containers[depth] === 'array' ? at.value : at.key;
      if (array === undefined && state === at.value) places.next(depth);
    } else if (byte === 0x5d) close('array', byte);
    else if (byte === 0x7d) close('object', byte);
    else throw notJson();
  };

  /** One byte outside strings. */
  const step = (byte: number) => {
    if (!isPartOfIntegers(byte)) {
      marks += 1;
      if (marks > maxMarks) throw new JsonStreamError('TOO_COMPLEX');
    }
    if (state >= at.numberMinus) {
      const next = nextInNumber(state, byte);
      if (next !== -1) {
        state = next;
        if (number.length <= maxNumberLength) number += String.fromCharCode(byte);
        return keep(byte);
      }
      if (!isWholeNumber(state)) throw notJson();
      endNumber();
    }
    if (state === at.literal) {
      if (byte !== literal.charCodeAt(literalAt)) throw notJson();
      literalAt += 1;
      if (literalAt === literal.length) afterValue();
      return keep(byte);
    }
    if (isWhiteSpace(byte)) return;
    if (state === at.value) beginValue(byte);
    else if (state === at.elementOrEnd) byte === 0x5d ? close('array', byte) : beginValue(byte);
    else if (state === at.keyOrEnd && byte === 0x7d) close('object', byte);
    else if (state === at.key || state === at.keyOrEnd) {
      if (byte !== quote) throw notJson();
      beginString(true);
    } else if (state === at.colon) {
      if (byte !== 0x3a) throw notJson();
      keep(byte);
      state = at.value;
    } else if (state === at.afterValue) separate(byte);
    else throw notJson();
  };

  /** @returns index of the first byte that is not part of the string any more, or of its escape */
  const runString = (chunk: Buffer, from: number): number => {
    const closing = chunk.indexOf(quote, from);
    const end = closing === -1 ? chunk.length : closing;
    const piece = chunk.subarray(from, end);
    const escaped = piece.indexOf(backslash);
    if (escaped !== -1) {
      take(piece.subarray(0, escaped));
      if (utf8.isOpen()) throw new JsonStreamError('NOT_UTF8');
      escapeText = '\\';
      state = at.escape;
      return from + escaped + 1;
    }
    take(piece);
    if (closing === -1) return chunk.length;
    endString();
    return closing + 1;
  };

  const stepEscape = (byte: number) => {
    escapeText += String.fromCharCode(byte);
    const isWhole = isWholeEscape(escapeText.slice(1));
    if (isWhole === undefined) throw notJson();
    if (isWhole) endEscape();
  };

  const runIntegers = (reader: IntegerReader, chunk: Buffer, from: number): number => {
    const before = reader.count();
    const index = reader.run(chunk, from, chunk.length);
    // A comma was taken with the last of them.
    if (reader.count() > before) state = at.value;
    return index;
  };

  return {
    push(chunk) {
      let index = 0;
      while (index < chunk.length) {
        if (state === at.string) index = runString(chunk, index);
        else if (state === at.escape) {
          stepEscape(chunk[index] as number);
          index += 1;
        } else {
          if (array?.depth === depth && isBytes && state <= at.elementOrEnd) {
            index = runIntegers(array.reader, chunk, index);
            if (index === chunk.length) return;
          }
          step(chunk[index] as number);
          index += 1;
        }
      }
    },
    end() {
      if (isWholeNumber(state)) endNumber();
      if (state !== at.end) throw notJson();
      return { rest: rest.take(), files: found };
    },
    restBytes: rest.size,
  };
}

function assertNoControl(bytes: Uint8Array): void {
  for (let index = 0; index < bytes.length; index += 1) if ((bytes[index] as number) < 0x20) throw notJson();
}

/** Digits, `-`, `,` and white space: what makes up an array of bytes, however long. */
function isPartOfIntegers(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2c || byte === 0x2d || byte <= 0x20;
}

function notJson(): JsonStreamError {
  return new JsonStreamError('NOT_JSON');
}
