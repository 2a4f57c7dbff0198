import type { Msg } from 'nats';
import { HeaderRecord, type Headers } from './headers.ts';

type Received = Pick<Msg, 'subject' | 'reply' | 'data' | 'headers'>;

const utf8 = new TextDecoder();
const blockStart = 'NATS/1.0\r\n';
const blockEnd = '\r\n\r\n';
const validName = /^[!-9;-~]*$/;

/** Received names with their normalised form: callers send the same few names again and again. */
const knownNames = new Map<string, string>();
/** Limit on them: callers must not be able to fill the memory. */
const maxKnownNames = 100;

/**
 * Reads received headers by lower-case name, first value first; names are data, so the record inherits none. Throws if
 * the block is malformed.
 */
export function readHeaders(message: Received): Headers {
  const block = rawBlock(message);
  return block === undefined ? readParsed(message.headers) : parseBlock(block);
}

/** Reads a separate header block from a sealed message. Throws if it is malformed. */
export function readBlock(bytes: Uint8Array): Headers {
  const block = utf8.decode(bytes);
  if (!block.startsWith(blockStart) || !block.endsWith(blockEnd)) throw malformed();
  return parseBlock(block);
}

/**
 * Reads the client's own parse of the headers, letter by letter: correct for every message, at three times the cost.
 */
export function readParsed(headers: Msg['headers']): Headers {
  const record = new HeaderRecord();
  if (headers === undefined) return record;
  for (const [name, values] of headers) record[name.toLowerCase()] ??= values[0];
  return record;
}

/**
 * Returns the header block as text, if it is available without the client's parse. The block lies directly before the
 * payload in the same buffer, and the message knows its size on the wire. If anything does not match that exactly, for
 * example with another version of the client, the result is undefined.
 */
function rawBlock(message: Received & { size?: () => number }): string | undefined {
  const size = message.size?.();
  if (size === undefined) return undefined;
  const { data } = message;
  const length = size - message.subject.length - (message.reply?.length ?? 0) - data.length;
  const start = data.byteOffset - length;
  if (length < blockStart.length + 2 || start < 0) return undefined;
  const block = utf8.decode(new Uint8Array(data.buffer, start, length));
  return block.startsWith(blockStart) && block.endsWith(blockEnd) ? block : undefined;
}

function parseBlock(block: string): Headers {
  const record = new HeaderRecord();
  let start = blockStart.length;
  while (start < block.length) {
    const end = block.indexOf('\r\n', start);
    if (end === -1) break;
    const colon = block.indexOf(':', start);
    if (colon !== -1 && colon < end) {
      const name = normaliseName(block.slice(start, colon));
      const value = block.slice(colon + 1, end).trim();
      if (value.includes('\n') || value.includes('\r')) throw malformed();
      record[name] ??= value;
    }
    start = end + 2;
  }
  return record;
}

function normaliseName(raw: string): string {
  const known = knownNames.get(raw);
  if (known !== undefined) return known;
  if (!validName.test(raw)) throw malformed();
  const name = raw.toLowerCase();
  if (knownNames.size < maxKnownNames) knownNames.set(raw, name);
  return name;
}

function malformed(): TypeError {
  return new TypeError('a header is malformed');
}
