import type { Msg } from 'nats';
import { HeaderRecord, type Headers } from './headers.ts';

type Received = Pick<Msg, 'subject' | 'reply' | 'data' | 'headers'>;

const utf8 = new TextDecoder();
const blockStart = 'NATS/1.0\r\n';
const blockEnd = '\r\n\r\n';
const validName = /^[!-9;-~]*$/;

/** Callers send the same few names again and again. Names as they came, with what they are called here. */
const knownNames = new Map<string, string>();
/** Who calls must not be able to fill the memory with them. */
const mostKnownNames = 100;

/**
 * Received headers by lower-case name, first value first; names are data, so the record inherits none.
 * Throws when the block is malformed.
 */
export function readHeaders(message: Received): Headers {
  const block = rawBlock(message);
  return block === undefined ? readParsed(message.headers) : parseBlock(block);
}

/** A header block by itself, as it was sealed. Throws when it is malformed. */
export function readBlock(bytes: Uint8Array): Headers {
  const block = utf8.decode(bytes);
  if (!block.startsWith(blockStart) || !block.endsWith(blockEnd)) throw malformed();
  return parseBlock(block);
}

/** The client's own parse of the headers, letter by letter: right for every message, at three times the cost. */
export function readParsed(headers: Msg['headers']): Headers {
  const record = new HeaderRecord();
  if (headers === undefined) return record;
  for (const [name, values] of headers) record[name.toLowerCase()] ??= values[0];
  return record;
}

/**
 * The header block as text, where it can be had without the client's parse. The block lies right before the
 * payload in the same buffer, and the message knows its size on the wire; whatever does not fit that picture
 * exactly, such as another version of the client, gives nothing.
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
      const name = nameOf(block.slice(start, colon));
      const value = block.slice(colon + 1, end).trim();
      if (value.includes('\n') || value.includes('\r')) throw malformed();
      record[name] ??= value;
    }
    start = end + 2;
  }
  return record;
}

function nameOf(raw: string): string {
  const known = knownNames.get(raw);
  if (known !== undefined) return known;
  if (!validName.test(raw)) throw malformed();
  const name = raw.toLowerCase();
  if (knownNames.size < mostKnownNames) knownNames.set(raw, name);
  return name;
}

function malformed(): TypeError {
  return new TypeError('a header is malformed');
}
