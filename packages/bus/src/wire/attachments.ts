import type { Msg, MsgHdrs } from 'nats';
import { attachmentsHeader, encodeHeaders } from './headers.ts';

/** Stands in the JSON where bytes stood; its value is their place among the attachments. */
const mark = '$attachment';
const sizesForm = /^\d{1,9}(,\d{1,9}){0,31}$/;

export interface PackedBody {
  readonly body: Uint8Array;
  /** The value of the header; undefined without attachments. */
  readonly attachments: string | undefined;
}

/**
 * A value as the body of a message: JSON, and after it whatever bytes stood in it. As base64 inside the JSON they would
 * be a third larger, and be encoded, escaped, scanned and decoded on the way.
 * @throws TypeError for what has no JSON
 */
export function packBody(value: unknown): PackedBody {
  const found: Uint8Array[] = [];
  const json = Buffer.from(JSON.stringify(takeBytes(value, found)));
  if (found.length === 0) return { body: json, attachments: undefined };
  return { body: Buffer.concat([json, ...found]), attachments: found.map(({ length }) => length).join(',') };
}

/**
 * The value that `packBody` was given; bytes are views of the body.
 * @throws Error where the body is not of that form
 */
export function unpackBody(
  body: Uint8Array,
  attachments: string | undefined,
  utf8: { decode(bytes: Uint8Array): string },
): unknown {
  if (attachments === undefined) return JSON.parse(utf8.decode(body));
  if (!sizesForm.test(attachments)) throw new TypeError('the sizes of the attachments cannot be read');
  const sizes = attachments.split(',').map(Number);
  const start = body.length - sizes.reduce((sum, size) => sum + size, 0);
  if (start < 0) throw new TypeError('the attachments are larger than the body');
  let end = start;
  const views = sizes.map((size) => {
    end += size;
    return Buffer.from(body.buffer, body.byteOffset + end - size, size);
  });
  return putBytes(JSON.parse(utf8.decode(body.subarray(0, start))), views);
}

/** Of an answer, which has no other headers. */
export function answerHeaders(attachments: string): MsgHdrs {
  return encodeHeaders({}, `${attachmentsHeader}: ${attachments}\r\n`);
}

export function attachmentsOf({ headers }: Pick<Msg, 'headers'>): string | undefined {
  return headers?.get(attachmentsHeader) || undefined;
}

/** The same value where it holds no bytes; else a copy of what leads to them. */
function takeBytes(value: unknown, found: Uint8Array[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return { [mark]: found.push(value) - 1 };
  let copy: Record<string, unknown> | unknown[] | undefined;
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member !== 'object' || member === null) continue;
    const taken = takeBytes(member, found);
    if (taken === member) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    (copy as Record<string, unknown>)[name] = taken;
  }
  return copy ?? value;
}

/** JSON of one's own parsing, so it is filled in place. */
function putBytes(value: unknown, attachments: readonly Uint8Array[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Record<string, unknown>;
  if (Object.hasOwn(record, mark)) {
    const place = record[mark];
    const bytes = typeof place === 'number' ? attachments[place] : undefined;
    if (bytes === undefined) throw new TypeError('an attachment is missing');
    return bytes;
  }
  for (const name of Object.keys(record)) record[name] = putBytes(record[name], attachments);
  return value;
}
