import type { Msg } from 'nats';
import { attachmentsHeader, type EncodedHeaders, encodeHeaders } from './headers.ts';

const maxAttachments = 32;
const sizesForm = /^\d{1,9}(,\d{1,9})*$/;

export interface PackedBody {
  readonly body: Uint8Array;
  /** Value of the header; undefined without attachments. */
  readonly attachments: string | undefined;
}

/** Keys that lead to bytes, from the outside in. */
type Path = Array<string | number>;

interface FoundBytes {
  readonly bytes: Uint8Array[];
  readonly places: Path[];
}

/**
 * Packs a value as the body of a message: its JSON. If it contains bytes, its JSON has null for them, followed by their
 * paths, and after that the raw bytes. As base64 inside the JSON they would be a third larger, and be encoded, escaped,
 * scanned and decoded on the way. Paths are separate, because no key in a value could mark bytes that a value of
 * another author cannot have too.
 * @throws TypeError for a value without JSON, or with more bytes than a body allows
 */
export function packBody(value: unknown): PackedBody {
  const found: FoundBytes = { bytes: [], places: [] };
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
 * Unpacks the value of `packBody`, with a `Buffer` for bytes. The author of the body can place bytes only where the
 * JSON has null.
 * @throws Error if the body does not have that form
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

/** Encodes the headers of an answer, which has no others. */
export function answerHeaders(attachments: string): EncodedHeaders {
  return encodeHeaders({}, `${attachmentsHeader}: ${attachments}\r\n`);
}

export function readAttachments({ headers }: Pick<Msg, 'headers'>): string | undefined {
  return headers?.get(attachmentsHeader) || undefined;
}

/**
 * Tells whether a value may contain bytes. Most contain none: this check takes a tenth of the time of `takeBytes`. It
 * may find some that have no position in the JSON.
 */
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

/**
 * Returns the same value if it contains no bytes; otherwise a copy of everything on the path to them, with null for
 * each.
 */
function takeBytes(value: unknown, found: FoundBytes): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) {
    found.places.push([]);
    found.bytes.push(value);
    return null;
  }
  const source = value as Record<string, unknown>;
  // A value with its own toJSON would not recognise itself in a copy.
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

/** Cuts the attachments of these sizes, of which the last ends with the body. */
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
 * Returns bytes of a message without a copy: the client reads into a new buffer each time and never writes to one that
 * it has delivered. A small part would keep the whole buffer in memory, so small parts are copied.
 */
function view({ buffer, byteOffset }: Uint8Array, start: number, size: number): Buffer {
  const bytes = Buffer.from(buffer, byteOffset + start, size);
  if (size >= buffer.byteLength / 4) return bytes;
  // Not from the pool, which is as large as one read.
  const own = Buffer.allocUnsafeSlow(size);
  bytes.copy(own);
  return own;
}

/** Puts bytes into JSON that this module has parsed, so it is changed in place. */
function put(bytes: Buffer | undefined, packed: unknown[], place: unknown): void {
  if (!Array.isArray(place)) throw new TypeError('a place cannot be read');
  let parent: unknown = packed;
  let key: string | number = 0;
  for (const next of place) {
    if (typeof next !== 'string' && typeof next !== 'number') throw new TypeError('a place cannot be read');
    parent = readMember(parent, key);
    key = next;
  }
  if (readMember(parent, key) !== null) throw new TypeError('an attachment has no place');
  (parent as Record<string | number, unknown>)[key] = bytes;
}

function readMember(parent: unknown, key: string | number): unknown {
  const isOwn = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key);
  return isOwn ? (parent as Record<string | number, unknown>)[key] : undefined;
}
