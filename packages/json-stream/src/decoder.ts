import { isUtf8 } from 'node:buffer';
import { decodeText } from './decode-text.ts';
import type { Decoded, DecodePlan, FileSink, FileValue } from './decoded.ts';
import { JsonStreamError } from './errors.ts';
import type { FoundFile } from './found-file.ts';
import { judgeFields } from './judge-fields.ts';
import { limitFile } from './limit-file.ts';
import { createJsonScanner } from './scanner.ts';
import { takeFiles } from './take-files.ts';

export interface JsonDecoder<File> {
  /**
   * Decodes any piece of the document, in UTF-8. Afterwards the piece is not read again (`giveBack`).
   * @throws JsonStreamError, and errors of a sink
   */
  push(chunk: Buffer): void;
  /** Counts the bytes in its own memory, without those passed to sinks. */
  heldBytes(): number;
  /**
   * Completes the document.
   * @throws JsonStreamError, and errors of a sink
   */
  end(): Decoded<File>;
}

/** An escape has six bytes for one character, and a value counts at least four, even if it is shorter. */
const restFactor = 8;
const byteOrderMark = Buffer.from('\ufeff');

/**
 * Decodes a JSON document while it arrives: files go to sinks at once, all other fields are small and parsed at the
 * end.
 * @param openSink called for each file; the sink of a value that turns out not to be a file is never completed
 */
export function createJsonDecoder<File>(plan: DecodePlan, openSink: () => FileSink<File>): JsonDecoder<File> {
  const streamed = new Map<number, File>();
  const scanner = createJsonScanner({
    files: plan.files,
    openFile: ({ index, place }) =>
      limitFile({
        place,
        plan,
        sink: openSink(),
        done: (file) => void streamed.set(index, file),
      }),
  });
  const skipMark = createMarkSkipper();
  let size = 0;
  let skipped = 0;
  let head = Buffer.alloc(0);
  /** Names the encoding of the whole document, detected from its mark. */
  const inDocument = (error: unknown) => {
    if (!(error instanceof JsonStreamError) || (error.code !== 'NOT_JSON' && error.code !== 'NOT_UTF8'))
      return error;
    if (isUtf16(head)) return new JsonStreamError('UTF_16');
    const { code, octet, isIncomplete } = error;
    return octet === undefined ? error : new JsonStreamError(code, { octet: octet + skipped, isIncomplete });
  };
  const scan = (chunk: Buffer) => {
    try {
      const rest = skipMark(chunk);
      skipped += chunk.length - rest.length;
      scanner.push(rest);
    } catch (error) {
      throw inDocument(error);
    }
  };
  const endScan = () => {
    try {
      return scanner.end();
    } catch (error) {
      throw inDocument(error);
    }
  };
  return {
    push(chunk) {
      size += chunk.length;
      if (head.length < 2) head = Buffer.concat([head, chunk.subarray(0, 2)]);
      scan(chunk);
      if (scanner.restBytes() > plan.maxFieldBytes * restFactor) throw fieldsTooLarge(plan);
    },
    heldBytes: scanner.restBytes,
    end() {
      if (size === 0) throw new JsonStreamError('EMPTY');
      const { rest, files: found } = endScan();
      const fields = parseObject(rest);
      const files = takeFiles<File>(fields, plan, (index) => {
        const { kind, ...value } = found[Number(index)] as FoundFile;
        const file = streamed.get(Number(index));
        if (kind === 'streamed' && file !== undefined) return { kind: 'file', file };
        return 'text' in value ? fromText(value.text, plan, openSink) : { kind: 'undecodable' };
      });
      assertModest(fields, plan);
      return { fields, files };
    },
  };
}

/** Decodes a short text; an empty one counts as absent. */
function fromText<File>(
  text: string,
  plan: DecodePlan,
  openSink: () => FileSink<File>,
): FileValue<File> | undefined {
  if (text.trim() === '') return undefined;
  const bytes = decodeText(text);
  if (bytes === undefined) return { kind: 'undecodable' };
  if (bytes.length > plan.maxBytesOf(bytes)) return { kind: 'too-large' };
  const sink = openSink();
  sink.write(bytes);
  return { kind: 'file', file: sink.end() };
}

function assertModest(fields: Record<string, unknown>, plan: DecodePlan): void {
  const verdict = judgeFields(fields, plan.maxFieldBytes);
  if (verdict === 'prototype-key') throw new JsonStreamError('FORBIDDEN_NAME');
  if (verdict === 'too-large') throw fieldsTooLarge(plan);
}

function parseObject(rest: Buffer): Record<string, unknown> {
  if (!isUtf8(rest)) throw new JsonStreamError('NOT_UTF8');
  const value: unknown = JSON.parse(rest.toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new JsonStreamError('NOT_AN_OBJECT');
  }
  return value as Record<string, unknown>;
}

/** Detects UTF-16 by its mark, or by the zero next to its first character: JSON starts with ASCII (RFC 4627 §3). */
function isUtf16(head: Buffer): boolean {
  const [first, second] = head;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || (first === 0) !== (second === 0);
}

/** Creates a function that skips one byte order mark before the document (RFC 8259 §8.1 lets receivers ignore it). */
function createMarkSkipper(): (chunk: Buffer) => Buffer {
  let seen = 0;
  return (chunk) => {
    let skipped = 0;
    for (; seen < byteOrderMark.length && skipped < chunk.length; seen += 1, skipped += 1) {
      if (chunk[skipped] === byteOrderMark[seen]) continue;
      // No document starts with a part of the mark.
      if (seen > 0) throw new JsonStreamError('NOT_JSON');
      seen = byteOrderMark.length;
      break;
    }
    return chunk.subarray(skipped);
  };
}

function fieldsTooLarge({ maxFieldBytes }: Pick<DecodePlan, 'maxFieldBytes'>): JsonStreamError {
  return new JsonStreamError('FIELDS_TOO_LARGE', { maxBytes: maxFieldBytes });
}
