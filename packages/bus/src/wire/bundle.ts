import { HeaderRecord, type Headers } from './headers.ts';

/**
 * Maximum calls of one message: they start in one tick of the server's event loop, and the slowest decides when all are
 * answered.
 */
export const maxBundleCalls = 16;

/** One call of several: its number, its headers, its serialised input. */
export interface BundledCall {
  readonly id: number;
  readonly headers: Headers;
  /** Undefined for no input. */
  readonly input: unknown;
}

/** Serialises the calls for the body. */
export function writeBundle(calls: readonly BundledCall[]): unknown[] {
  return calls.map(({ id, headers, input }) => (input === undefined ? [id, headers] : [id, headers, input]));
}

/**
 * Parses the calls of a body with the given count.
 * @throws TypeError if it does not have that form
 */
export function readBundle(body: unknown, count: number): BundledCall[] {
  if (!Array.isArray(body) || body.length !== count) throw malformed();
  if (count < 1 || count > maxBundleCalls) throw malformed();
  return body.map((item: unknown) => {
    if (!Array.isArray(item) || item.length < 2 || item.length > 3) throw malformed();
    const [id, headers, input] = item as unknown[];
    if (!Number.isSafeInteger(id)) throw malformed();
    return { id: id as number, headers: readHeaders(headers), input };
  });
}

/** Parses headers. Names are data: the record inherits none. */
function readHeaders(headers: unknown): Headers {
  if (typeof headers !== 'object' || headers === null) throw malformed();
  const record = new HeaderRecord();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') throw malformed();
    record[name.toLowerCase()] ??= value;
  }
  return record;
}

function malformed(): TypeError {
  return new TypeError('a bundle of calls is malformed');
}
