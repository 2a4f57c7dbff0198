import { isUtf8 } from 'node:buffer';
import { AppError } from '@rubrica/service';
import type { Body, BodyPlan, FileValue } from '../body.ts';
import { decodeText } from '../decode-text.ts';
import { judgeFields } from '../measure-fields.ts';
import { takeFiles } from '../take-files.ts';
import { collectFile } from './collect-file.ts';
import { malformed, notUtf8 } from './faults.ts';
import { createJsonScanner, type FoundFile, type Scanned } from './json-scanner.ts';

export interface BodyDecoder {
  /**
   * @returns how many bytes more it holds on to
   * @throws AppError BODY_MALFORMED, BODY_TOO_LARGE, FILE_TOO_LARGE
   */
  push(chunk: Buffer): number;
  /** @throws AppError BODY_MALFORMED, BODY_TOO_LARGE */
  end(): Body;
}

/** An escape is six bytes for one, and a value counts four at least, however short it is. */
const restFactor = 8;
const byteOrderMark = Buffer.from('\ufeff');

/** Takes a JSON body apart while it arrives: files become bytes at once, all else is small and parsed at the end. */
export function createBodyDecoder(plan: Omit<BodyPlan, 'maxBytes'>): BodyDecoder {
  const bytes = new Map<number, Buffer>();
  // Also of what turns out to be no file: nobody is to gain by that.
  let collected = 0;
  const scanner = createJsonScanner({
    files: plan.files,
    openFile: ({ index, place }) =>
      collectFile({
        place,
        plan,
        onBlock: (size) => {
          collected += size;
        },
        done: (file) => void bytes.set(index, file),
      }),
  });

  const skipMark = createMarkSkipper();
  let size = 0;
  let held = 0;
  return {
    push(chunk) {
      size += chunk.length;
      scanner.push(skipMark(chunk));
      if (scanner.restBytes() > plan.maxFieldBytes * restFactor) throw fieldsTooLarge(plan);
      const before = held;
      held = scanner.restBytes() + collected;
      return held - before;
    },
    end() {
      if (size === 0) throw malformed('A JSON body is required; an empty one was sent');
      return toBody(scanner.end(), bytes, plan);
    },
  };
}

function toBody(
  { rest, files: found }: Scanned,
  bytes: ReadonlyMap<number, Buffer>,
  plan: Omit<BodyPlan, 'maxBytes'>,
): Body {
  const fields = parseObject(rest);
  const files = takeFiles(fields, plan, (index) => {
    const file = found[Number(index)] as FoundFile;
    const streamed = bytes.get(Number(index));
    if (file.kind === 'streamed' && streamed !== undefined) return { kind: 'bytes', bytes: streamed };
    return file.kind === 'text' ? fromText(file.text, plan) : { kind: 'undecodable' };
  });
  const verdict = judgeFields(fields, plan.maxFieldBytes);
  if (verdict === 'prototype-key') throw malformed('The body has a field of a name that is not allowed');
  if (verdict === 'too-large') throw fieldsTooLarge(plan);
  return { fields, files };
}

/** An empty text counts as absent. */
function fromText(text: string, plan: Pick<BodyPlan, 'maxBytesOf'>): FileValue | undefined {
  if (text.trim() === '') return undefined;
  const bytes = decodeText(text);
  if (bytes === undefined) return { kind: 'undecodable' };
  return bytes.length > plan.maxBytesOf(bytes) ? { kind: 'too-large' } : { kind: 'bytes', bytes };
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
