import { isUtf8 } from 'node:buffer';
import { AppError } from '@rubrica/process';
import type { FileSink } from '../../evidence/seal-files.ts';
import type { Body, BodyPlan, FileValue } from '../body.ts';
import { decodeText } from '../decode-text.ts';
import { judgeFields } from '../measure-fields.ts';
import { takeFiles } from '../take-files.ts';
import { malformed, notUtf8 } from './faults.ts';
import { createJsonScanner, type FoundFile } from './json-scanner.ts';
import { limitFile } from './limit-file.ts';

export interface BodyDecoder<File> {
  /** @throws AppError BODY_MALFORMED, BODY_TOO_LARGE, FILE_TOO_LARGE */
  push(chunk: Buffer): void;
  /** Bytes it holds on to itself: not those that went to sinks. */
  heldBytes(): number;
  /** @throws AppError BODY_MALFORMED, BODY_TOO_LARGE */
  end(): Body<File>;
}

type Plan = Omit<BodyPlan, 'maxBytes'>;

/** An escape is six bytes for one, and a value counts four at least, however short it is. */
const restFactor = 8;
const byteOrderMark = Buffer.from('\ufeff');

/**
 * Takes a JSON body apart while it arrives: files go to sinks at once, all else is small and parsed at the end.
 * @param openSink called for each file; one that turns out to be none is left without an end
 */
export function createBodyDecoder<File>(plan: Plan, openSink: () => FileSink<File>): BodyDecoder<File> {
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
  return {
    push(chunk) {
      size += chunk.length;
      scanner.push(skipMark(chunk));
      if (scanner.restBytes() > plan.maxFieldBytes * restFactor) throw fieldsTooLarge(plan);
    },
    heldBytes: scanner.restBytes,
    end() {
      if (size === 0) throw malformed('A JSON body is required; an empty one was sent');
      const { rest, files: found } = scanner.end();
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

/** An empty text counts as absent. */
function fromText<File>(
  text: string,
  plan: Plan,
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

function assertModest(fields: Record<string, unknown>, plan: Plan): void {
  const verdict = judgeFields(fields, plan.maxFieldBytes);
  if (verdict === 'prototype-key') throw malformed('The body has a field of a name that is not allowed');
  if (verdict === 'too-large') throw fieldsTooLarge(plan);
}

function parseObject(rest: Buffer): Record<string, unknown> {
  if (!isUtf8(rest)) throw notUtf8();
  const value: unknown = JSON.parse(rest.toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('The body must be a JSON object');
  }
  return value as Record<string, unknown>;
}

/** One byte order mark may stand before the document (RFC 8259 §8.1 lets receivers ignore it). */
function createMarkSkipper(): (chunk: Buffer) => Buffer {
  let seen = 0;
  return (chunk) => {
    let skipped = 0;
    for (; seen < byteOrderMark.length && skipped < chunk.length; seen += 1, skipped += 1) {
      if (chunk[skipped] === byteOrderMark[seen]) continue;
      // No document begins with a part of it.
      if (seen > 0) throw malformed();
      seen = byteOrderMark.length;
      break;
    }
    return chunk.subarray(skipped);
  };
}

const fieldsTooLarge = ({ maxFieldBytes }: Pick<BodyPlan, 'maxFieldBytes'>) =>
  new AppError({
    code: 'BODY_TOO_LARGE',
    publicMessage: `The fields other than files come to more than ${maxFieldBytes} bytes`,
  });
