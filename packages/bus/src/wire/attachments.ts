import type { Msg } from 'nats';
import { attachmentsHeader, type EncodedHeaders, encodeHeaders } from './headers.ts';

const maxAttachments = 32;
const sizesForm = /^\d{1,9}(,\d{1,9})*$/;

export interface PackedBody {
  readonly body: Uint8Array;
  /** The value of the header; undefined without attachments. */
  readonly attachments: string | undefined;
}

/** The keys that lead to bytes, from the outside in. */
type Place = Array<string | number>;

interface Found {
  readonly bytes: Uint8Array[];
  readonly places: Place[];
}

/**
 * A value as the body of a message: its JSON. Where bytes stand in it, its JSON with null for them, then the places
 * they belong to, and behind that the bytes as they are: as base64 inside the JSON they would be a third larger, and
 * be encoded, escaped, scanned and decoded on the way. Places stand apart, since no key in a value could mark bytes
 * that a value that another has made does not have too.
 * @throws TypeError for what has no JSON, or more bytes than a body takes
 */
export function packBody(value: unknown): PackedBody {
  const found: Found = { bytes: [], places: [] };
  const rest = holdsBytes(value) ? takeBytes(value, found) : value;
  const { bytes, places } = found;
  if (bytes.length === 0) return { body: Buffer.from(JSON.stringify(value)), attachments: undefined };
  if (bytes.length > maxAttachments) throw new TypeError(`more than ${maxAttachments} attachments`);
  const json = Buffer.from(JSON.stringify([rest, places]));
  return {
    body: Buffer.concat([json, ...bytes]),
    attachments: bytes.map(({ length }) => length).join(','),
  };
}

/**
 * The value that `packBody` was given, with a `Buffer` wherever bytes stood. Whoever wrote the body can have bytes put
 * where it wrote null, and nowhere else.
 * @throws Error where the body is not of that form
 */
export function unpackBody(
  body: Uint8Array,
  attachments: string | undefined,
  utf8: { decode(bytes: Uint8Array): string },
): unknown {
  if (attachments === undefined) return JSON.parse(utf8.decode(body));
  const bytes = bytesAtEnd(body, attachments);
  const jsonBytes = body.length - bytes.reduce((sum, { length }) => sum + length, 0);
  const packed: unknown = JSON.parse(utf8.decode(body.subarray(0, jsonBytes)));
  if (!Array.isArray(packed) || packed.length !== 2) throw new TypeError('the places cannot be read');
  const places: unknown = packed[1];
  if (!Array.isArray(places) || places.length !== bytes.length) {
    throw new TypeError('there is not one place for each attachment');
  }
  for (const [index, place] of places.entries()) put(bytes[index], packed, place);
  return packed[0];
}

/** Of an answer, which has no other headers. */
export function answerHeaders(attachments: string): EncodedHeaders {
  return encodeHeaders({}, `${attachmentsHeader}: ${attachments}\r\n`);
}

export function attachmentsOf({ headers }: Pick<Msg, 'headers'>): string | undefined {
  return headers?.get(attachmentsHeader) || undefined;
}

/** Most values hold none: this look takes a tenth of what `takeBytes` does. It may see some that have no place in JSON. */
function holdsBytes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Uint8Array) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (holdsBytes(value[index])) return true;
    return false;
  }
  for (const key in value) if (holdsBytes((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** The same value where it holds no bytes; else a copy of what leads to them, with null for each. */
function takeBytes(value: unknown, found: Found): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) {
    found.places.push([]);
    found.bytes.push(value);
    return null;
  }
  const source = value as Record<string, unknown>;
  // What makes its own JSON would not know itself in a copy.
  if (typeof source.toJSON === 'function') return value;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(source)) {
    const member = source[key];
    if (typeof member !== 'object' || member === null) continue;
    const before = found.places.length;
    const taken = takeBytes(member, found);
    if (taken === member) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = taken;
    for (const place of found.places.slice(before)) place.unshift(Array.isArray(value) ? Number(key) : key);
  }
  return copy ?? value;
}

/** The attachments of these sizes, of which the last ends with the body. */
function bytesAtEnd(body: Uint8Array, attachments: string): Buffer[] {
  if (!sizesForm.test(attachments)) throw new TypeError('the sizes of the attachments cannot be read');
  const sizes = attachments.split(',').map(Number);
  if (sizes.length > maxAttachments) throw new TypeError(`more than ${maxAttachments} attachments`);
  let start = body.length - sizes.reduce((sum, size) => sum + size, 0);
  if (start < 0) throw new TypeError('the attachments are larger than the body');
  return sizes.map((size) => {
    start += size;
    return view(body, start - size, size);
  });
}

/**
 * Bytes of a message without copying them: the client reads into a new buffer each time and never writes to one that
 * it has handed out. A few of them would keep that whole buffer in memory for as long as they are kept: those are copied.
 */
function view({ buffer, byteOffset }: Uint8Array, start: number, size: number): Buffer {
  const bytes = Buffer.from(buffer, byteOffset + start, size);
  if (size >= buffer.byteLength / 4) return bytes;
  // Not from the pool, which is as large as what is read at once.
  const own = Buffer.allocUnsafeSlow(size);
  bytes.copy(own);
  return own;
}

/** Into JSON of one's own parsing, so it is changed in place. */
function put(bytes: Buffer | undefined, packed: unknown[], place: unknown): void {
  if (!Array.isArray(place)) throw new TypeError('a place cannot be read');
  let parent: unknown = packed;
  let key: string | number = 0;
  for (const next of place) {
    if (typeof next !== 'string' && typeof next !== 'number') throw new TypeError('a place cannot be read');
    parent = memberOf(parent, key);
    key = next;
  }
  if (memberOf(parent, key) !== null) throw new TypeError('an attachment has no place');
  (parent as Record<string | number, unknown>)[key] = bytes;
}

function memberOf(parent: unknown, key: string | number): unknown {
  const isOwn = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key);
  return isOwn ? (parent as Record<string | number, unknown>)[key] : undefined;
}
