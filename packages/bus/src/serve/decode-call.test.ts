import { TRPCError } from '@trpc/server';
import fc from 'fast-check';
import { MsgHdrsImpl } from 'nats';
import { describe, expect, it } from 'vitest';
import { decodeCall as decode, decodeHeaders } from './decode-call.ts';

function message(headers: Record<string, string>, data: Uint8Array) {
  const hdrs = new MsgHdrsImpl();
  for (const [name, value] of Object.entries(headers)) hdrs.append(name, value);
  return { subject: 'a.b', reply: '_INBOX.x', headers: hdrs, data };
}

const decodeCall = (received: ReturnType<typeof message>, path: string) =>
  decode(received, path, decodeHeaders(received));

const codeOf = (decode: () => unknown) => {
  try {
    decode();
    return 'decoded';
  } catch (error) {
    return error instanceof TRPCError ? error.code : error;
  }
};

describe('decoding a call', () => {
  it('gives its type, deadline, headers and input', () => {
    const headers = { 'rpc-type': 'mutation', 'rpc-id': '42', 'rpc-deadline-ms': '250', 'X-Request-Id': '7' };
    const call = decodeCall(message(headers, Buffer.from('{"a":1}')), 'things.make');
    expect(call).toMatchObject({
      path: 'things.make',
      type: 'mutation',
      id: 42,
      remainingMs: 250,
      input: { a: 1 },
    });
    expect(call.headers['x-request-id']).toBe('7');
  });

  it('takes an empty body for no input', () => {
    expect(decodeCall(message({ 'rpc-type': 'query' }, Buffer.alloc(0)), 'a').input).toBeUndefined();
  });

  it.each([
    [{}, '1', 'BAD_REQUEST'],
    [{ 'rpc-type': 'QUERY' }, '1', 'BAD_REQUEST'],
    [{ 'rpc-type': 'subscription' }, '1', 'METHOD_NOT_SUPPORTED'],
    [{ 'rpc-type': 'query', 'rpc-deadline-ms': '-5' }, '1', 'BAD_REQUEST'],
    [{ 'rpc-type': 'query', 'rpc-deadline-ms': '1e3' }, '1', 'BAD_REQUEST'],
    [{ 'rpc-type': 'query', 'rpc-id': 'x' }, '1', 'BAD_REQUEST'],
    [{ 'rpc-type': 'query', 'rpc-id': '1'.repeat(16) }, '1', 'BAD_REQUEST'],
    [{ 'rpc-type': 'query' }, '{"a":', 'PARSE_ERROR'],
  ])('refuses %j with body %s as %s', (headers, body, code) => {
    expect(codeOf(() => decodeCall(message(headers as Record<string, string>, Buffer.from(body)), 'a'))).toBe(
      code,
    );
  });

  it('refuses a body that is not UTF-8', () => {
    const body = Buffer.from([0x22, 0xc3, 0x28, 0x22]);
    expect(codeOf(() => decodeCall(message({ 'rpc-type': 'query' }, body), 'a'))).toBe('PARSE_ERROR');
  });

  it('decodes or refuses any bytes at all, never anything else', () => {
    const type = fc.constantFrom('query', 'mutation', 'subscription', 'x');
    fc.assert(
      fc.property(type, fc.uint8Array({ maxLength: 200 }), fc.string(), (rpcType, body, path) => {
        const code = codeOf(() => decodeCall(message({ 'rpc-type': rpcType }, body), path));
        expect(['decoded', 'BAD_REQUEST', 'PARSE_ERROR', 'METHOD_NOT_SUPPORTED']).toContain(code);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives back any JSON input unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = Buffer.from(JSON.stringify(value));
        expect(decodeCall(message({ 'rpc-type': 'query' }, body), 'a').input).toEqual(
          JSON.parse(body.toString()),
        );
      }),
    );
  });

  it('does not quote the input in its refusal', () => {
    const body = Buffer.from('{"password":"hunter2"');
    expect(() => decodeCall(message({ 'rpc-type': 'query' }, body), 'a')).toThrow(
      'The input is not JSON in UTF-8',
    );
  });
});
