import fc from 'fast-check';
import { type Msg, type MsgHdrs, MsgHdrsImpl } from 'nats';
import { describe, expect, it } from 'vitest';
import { encodeCallHeaders, encodeHeaders } from './headers.ts';
import { readHeaders, readParsed } from './read-headers.ts';

const name = fc.stringMatching(/^x[a-z0-9-]{0,20}$/);
const value = fc.stringMatching(/^[!-~]([ -~]{0,60}[!-~])?$/);
const headers = fc.dictionary(name, value, { maxKeys: 8 });

/** A message as the client hands it over: block and payload side by side in one buffer, among other bytes. */
function received(block: Uint8Array, payload: Uint8Array, before = 'HMSG a.b 1 _INBOX.x 9 9\r\n'): Msg {
  const buffer = Buffer.concat([Buffer.from(before), block, payload]);
  const start = before.length + block.length;
  return {
    subject: 'a.b',
    reply: '_INBOX.x',
    data: buffer.subarray(start),
    headers: block.length === 0 ? undefined : MsgHdrsImpl.decode(block),
    size: () => 'a.b'.length + '_INBOX.x'.length + block.length + payload.length,
  } as unknown as Msg;
}

describe('headers', () => {
  it('arrive as they were sent', () => {
    fc.assert(
      fc.property(headers, fc.uint8Array(), (sent, payload) => {
        const message = received(bytesOf(encodeHeaders(sent)), payload);
        expect({ ...readHeaders(message) }).toEqual(sent);
      }),
    );
  });

  it('read the same from the raw block as through the client', () => {
    const line = fc.oneof(
      fc.tuple(name, value).map(([key, text]) => `${key.toUpperCase()}:   ${text} `),
      fc.string({ unit: fc.constantFrom('a', ':', ' ', 'é', '\n', '-') }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const block = Buffer.from(`NATS/1.0\r\n${lines.map((text) => `${text}\r\n`).join('')}\r\n`);
        const slow = attempt(() => readParsed(MsgHdrsImpl.decode(block)));
        const fast = attempt(() => readHeaders({ ...received(Buffer.alloc(0), block), ...raw(block) }));
        expect(fast).toEqual(slow);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of a message without any are not taken from the bytes before it', () => {
    const foreign = 'NATS/1.0\r\nauthorization: of another client\r\n\r\n';
    const message = received(new Uint8Array(0), Buffer.from('{}'), foreign);
    expect({ ...readHeaders(message) }).toEqual({});
  });

  it('fall back to the client when the message does not know its size', () => {
    const message = received(bytesOf(encodeHeaders({ a: '1' })), Buffer.from('{}'));
    expect({ ...readHeaders({ ...message, size: undefined } as unknown as Msg) }).toEqual({ a: '1' });
  });

  it('cannot reach the prototype', () => {
    const message = received(Buffer.from('NATS/1.0\r\n__proto__: x\r\n\r\n'), Buffer.from('{}'));
    const read = readHeaders(message);
    expect(Object.keys(read)).toEqual(['__proto__']);
    const inherited = Object.getPrototypeOf(read);
    expect([Reflect.ownKeys(inherited), Object.getPrototypeOf(inherited)]).toEqual([[], null]);
    expect(Object.isFrozen(inherited)).toBe(true);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('that would break the protocol or speak for the bus are refused', () => {
    for (const bad of [
      { 'x-a': 'line\r\nbreak' },
      { 'x-a': 'ñ' },
      { 'x a': '1' },
      { 'X-A': '1' },
      { 'rpc-type': 'mutation' },
      { 'nats-msg-id': '1' },
    ]) {
      expect(() => encodeHeaders(bad), JSON.stringify(bad)).toThrow(TypeError);
    }
  });

  it('of a call begin with its type, its number and what is left of its deadline', () => {
    const block = encodeCallHeaders({
      type: 'query',
      id: 7,
      remainingMs: 1_500,
      headers: { a: 'b', c: undefined },
    });
    expect(Buffer.from(bytesOf(block)).toString()).toBe(
      'NATS/1.0\r\nrpc-type: query\r\nrpc-id: 7\r\nrpc-deadline-ms: 1500\r\na: b\r\n\r\n',
    );
  });
});

function raw(block: Buffer) {
  const buffer = Buffer.concat([block, Buffer.from('{}')]);
  const size = 'a.b'.length + '_INBOX.x'.length + buffer.length;
  return { data: buffer.subarray(block.length), headers: undefined, size: () => size };
}

function attempt(read: () => object): object {
  try {
    return { ...read() };
  } catch {
    return { failed: true };
  }
}

/** What the client writes for these headers. */
function bytesOf(headers: MsgHdrs): Uint8Array {
  return (headers as MsgHdrsImpl).encode();
}
