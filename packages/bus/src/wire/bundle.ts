import { HeaderRecord, type Headers } from './headers.ts';

/** Calls of one message: they start in one turn of the server's event loop, and the slowest decides when all are answered. */
export const mostInBundle = 16;

/** One call of several: its number, its own headers, its serialised input. */
export interface BundledCall {
  readonly id: number;
  readonly headers: Headers;
  /** Undefined for none. */
  readonly input: unknown;
}

/** What stands in the body for these calls. */
export function writeBundle(calls: readonly BundledCall[]): unknown[] {
  return calls.map(({ id, headers, input }) => (input === undefined ? [id, headers] : [id, headers, input]));
}

/**
 * The calls of a body of so many.
 * @throws TypeError where it is not of that form
 */
export function readBundle(body: unknown, count: number): BundledCall[] {
  if (!Array.isArray(body) || body.length !== count) throw malformed();
  if (count < 1 || count > mostInBundle) throw malformed();
  return body.map((one: unknown) => {
    if (!Array.isArray(one) || one.length < 2 || one.length > 3) throw malformed();
    const [id, headers, input] = one as unknown[];
    if (!Number.isSafeInteger(id)) throw malformed();
    return { id: id as number, headers: readHeaders(headers), input };
  });
}

/** Names are data: the record inherits none. */
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
