import { createFileText, type FileText } from './file-text.ts';
import type { FileWriter, FoundFile, Separated } from './found-file.ts';
import { createIntegerReader, type IntegerReader, type WriteBlock } from './integer-reader.ts';
import { assertNoControl } from './no-control.ts';
import { createPathSet } from './places.ts';
import { createRestText } from './rest-text.ts';

export interface SeparatorOptions {
  /** Location of files: `field` or `list[].field`. */
  readonly files: readonly string[];
  /** Called at the first block of a file; no second file is open at the same time. */
  readonly openFile: (file: { readonly index: number; readonly place: string }) => FileWriter;
}

/**
 * Separates the files of a document from the rest. The scanner passes it the parts of the document in order, already
 * checked. `depth` is that of the container of a part; 1 is the document's own object.
 */
export interface Separator {
  /** Adds a byte of the document's structure, or of a number or literal. */
  byte(byte: number): void;
  /** Enters a container, which is at `depth`. */
  open(kind: 'object' | 'array', byte: number, depth: number): void;
  close(byte: number, depth: number): void;
  /** Advances to the next element of the array at `depth`. */
  next(depth: number): void;
  beginString(isKey: boolean, depth: number): void;
  /**
   * Adds a piece of a string as sent; it contains no incomplete escape.
   * @throws JsonStreamError NOT_JSON for a control character
   */
  piece(bytes: Buffer, hasEscapes: boolean): void;
  endString(isKey: boolean, depth: number): void;
  /** Adds a complete number; undefined if it is too long to be used. */
  number(text: string | undefined, depth: number): void;
  literal(depth: number): void;
  /** Returns the reader for the integers of the file whose elements are at `depth`; undefined if there is none. */
  integers(depth: number): IntegerReader | undefined;
  /** Counts the bytes of the document so far, without its files. */
  restBytes(): number;
  take(): Separated;
}

const quote = 0x22;

/** The array of a file, from its bracket to its end; nothing inside it is stored. */
interface FileArray {
  readonly place: string;
  /** Depth of its elements. */
  readonly depth: number;
  readonly reader: IntegerReader;
  /** False once an element was not a byte. */
  isBytes: boolean;
}

/**
 * Creates a separator. It is one closure, because its parts share the state in progress: a key, a file's text, a file's
 * array.
 */
export function createSeparator({ files: filePlaces, openFile }: SeparatorOptions): Separator {
  const places = createPathSet(filePlaces);
  const rest = createRestText();
  const found: FoundFile[] = [];
  let writer: FileWriter | undefined;
  let key: Buffer[] | undefined;
  let text: FileText | undefined;
  let array: FileArray | undefined;

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
  const keep = (byte: number) => {
    if (array === undefined) rest.byte(byte);
  };
  const keepBytes = (bytes: Buffer) => {
    if (array !== undefined) return;
    rest.bytes(bytes);
    key?.push(Buffer.from(bytes));
  };
  const markNotBytes = (depth: number) => {
    if (array?.depth === depth) array.isBytes = false;
  };

  return {
    byte: keep,
    open(kind, byte, depth) {
      const outer = depth - 1;
      const place = array === undefined && kind === 'array' ? places.file(outer) : undefined;
      markNotBytes(outer);
      if (place !== undefined) {
        array = { place, depth, reader: createIntegerReader(writing(place)), isBytes: true };
        return;
      }
      if (array === undefined) places.open(depth, kind);
      keep(byte);
    },
    close(byte, depth) {
      if (array?.depth !== depth) return keep(byte);
      const { place, reader, isBytes } = array;
      const isFile = isBytes && reader.count() > 0;
      if (isFile) reader.flush();
      array = undefined;
      settle({ kind: isFile ? 'streamed' : 'undecodable', place });
    },
    next(depth) {
      if (array === undefined) places.next(depth);
    },
    beginString(isKey, depth) {
      if (array !== undefined) return markNotBytes(depth);
      key = isKey && (depth === 1 || depth === 3) ? [] : undefined;
      const place = isKey ? undefined : places.file(depth);
      text = place === undefined ? undefined : createFileText(writing(place));
      if (text === undefined) rest.byte(quote);
    },
    piece(bytes, hasEscapes) {
      if (text !== undefined) return hasEscapes ? text.escaped(bytes) : text.plain(bytes);
      assertNoControl(bytes);
      keepBytes(bytes);
    },
    endString(isKey, depth) {
      if (text !== undefined) {
        const place = places.file(depth) as string;
        const ended = text.end();
        text = undefined;
        if ('text' in ended) settle({ kind: 'text', place, text: ended.text });
        else settle({ kind: ended.isSound ? 'streamed' : 'undecodable', place });
      } else keep(quote);
      if (isKey && key !== undefined && array === undefined) places.key(depth, Buffer.concat(key));
    },
    number(digits, depth) {
      if (array?.depth !== depth || !array.isBytes) return;
      const value = digits === undefined ? Number.NaN : Number(digits);
      if (Number.isInteger(value) && value >= -128 && value <= 255) array.reader.add(value);
      else array.isBytes = false;
    },
    literal: markNotBytes,
    integers: (depth) => (array?.depth === depth && array.isBytes ? array.reader : undefined),
    restBytes: rest.size,
    take: () => ({ rest: rest.take(), files: found }),
  };
}
