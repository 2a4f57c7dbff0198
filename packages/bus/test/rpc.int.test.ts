import { randomBytes } from 'node:crypto';
import { disposeAfterAll, testNats } from '@rubrica/testkit';
import { createTRPCClient, getUntypedClient, TRPCClientError } from '@trpc/client';
import { initTRPC, TRPCError } from '@trpc/server';
import fc from 'fast-check';
import { headers as createHeaders } from 'nats';
import { describe, expect, it } from 'vitest';
import {
  busFailure,
  busLink,
  createBusClient,
  isSafeToRepeat,
  type ServeError,
  serveRouter,
} from '../src/index.ts';
import type { TestRouter } from './fixtures/router.ts';
import { rejection, serveTestRouter, testBus } from './support.ts';

const errors: ServeError[] = [];

const nats = await disposeAfterAll(testNats({ extraConfig: 'max_payload: 1MB' }));
const server = await disposeAfterAll(testBus(nats.url, 'server'));
const caller = await disposeAfterAll(testBus(nats.url, 'caller'));
await serveTestRouter(server.bus, {
  subjectPrefix: 'rpc.v1.test',
  onError: (error) => errors.push(error),
});

const clientOf = (options: Partial<Parameters<typeof createBusClient>[1]> = {}) =>
  createBusClient<TestRouter>(caller.bus, { subjectPrefix: 'rpc.v1.test', timeoutMs: 5_000, ...options });

describe('a call', () => {
  it('brings its input to the procedure and the result back', async () => {
    expect(await clientOf().greet.query({ name: 'Ana' })).toBe('hello Ana');
    expect(await clientOf().nothing.mutate()).toBeUndefined();
  });

  it('carries any JSON both ways', async () => {
    const client = clientOf();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const wire = JSON.parse(JSON.stringify(value));
        expect(await client.echo.query(value)).toEqual(wire);
      }),
      { numRuns: 200 },
    );
  });

  it('carries bytes both ways as they are, wherever they stand, and no larger than they are', async () => {
    const [file, none] = [randomBytes(800_000), Buffer.alloc(0)];
    const input = { a: [{ file }, 'b', { c: { none, again: file.subarray(0, 3) } }], d: { $attachment: 0 } };
    expect(await clientOf().echo.query(input)).toEqual(input);
    expect(input.a[0]).toEqual({ file });
  });

  it.each(['x', '1,', '5', '-1', '99999999999', Array(40).fill('0').join(',')])(
    'of which the attachments cannot be told apart (%s) is no call',
    async (attachments) => {
      const headers = createHeaders();
      headers.set('rpc-type', 'query');
      headers.set('rpc-attachments', attachments);
      const { data } = await caller.bus.nc.request('rpc.v1.test.echo', Buffer.from('null'), {
        headers,
        timeout: 5_000,
      });
      expect(JSON.parse(Buffer.from(data).toString())).toMatchObject({
        error: { data: { code: 'PARSE_ERROR' } },
      });
    },
  );

  it('whose attachments have no place is no call', async () => {
    const headers = createHeaders();
    headers.set('rpc-type', 'query');
    headers.set('rpc-attachments', '1');
    for (const place of ['["b"]', '["__proto__"]', '[]', '"a"', 'null', '["a"],["a"]']) {
      const body = Buffer.from(`[{"a":null},[${place}]]x`);
      const { data } = await caller.bus.nc.request('rpc.v1.test.echo', body, { headers, timeout: 5_000 });
      expect(JSON.parse(Buffer.from(data).toString())).toMatchObject({
        error: { data: { code: 'PARSE_ERROR' } },
      });
    }
  });

  it('brings the headers of the client and of the single call', async () => {
    const client = clientOf({ headers: () => ({ 'x-request-id': '1', authorization: 'a' }) });
    const headers = await client.whoami.query(undefined, { context: { headers: { 'x-request-id': '2' } } });
    expect(headers).toMatchObject({ 'x-request-id': '2', authorization: 'a', 'rpc-type': 'query' });
  });

  it('tells the server by when the caller needs the answer', async () => {
    const before = Date.now();
    const deadlineAt = await clientOf({ timeoutMs: 3_000 }).deadline.query();
    expect(deadlineAt).toBeGreaterThan(before);
    expect(deadlineAt).toBeLessThanOrEqual(Date.now() + 3_000);
  });

  it('goes through links of tRPC too', async () => {
    const client = createTRPCClient<TestRouter>({
      links: [busLink(caller.bus, { subjectPrefix: 'rpc.v1.test' })],
    });
    expect(await client.greet.query({ name: 'Eva' })).toBe('hello Eva');
    const untyped = getUntypedClient(clientOf());
    expect(await untyped.query('greet', { name: 'Iva' })).toBe('hello Iva');
  });

  it('uses the transformer of the router for input, result and error', async () => {
    const transformer = {
      serialize: (value: unknown) => ({ wrapped: value }),
      deserialize: (value: unknown) => (value as { wrapped: unknown }).wrapped,
    };
    const t = initTRPC.create({ transformer });
    const router = t.router({
      twice: t.procedure.input((value) => Number(value)).query(({ input }) => input * 2),
      fails: t.procedure.query(() => {
        throw new TRPCError({ code: 'FORBIDDEN', message: 'no' });
      }),
    });
    const subjectPrefix = 'rpc.v1.transformed';
    await serveRouter(server.bus, { router, subjectPrefix, queue: 'test', createContext: () => ({}) });
    const client = createBusClient<typeof router>(caller.bus, { subjectPrefix, transformer });
    expect(await client.twice.query(21)).toBe(42);
    expect(await rejection(client.fails.query())).toMatchObject({
      message: 'no',
      data: { code: 'FORBIDDEN' },
    });
  });
});

describe('a failing call', () => {
  it('carries the code and the words of the procedure', async () => {
    const error = await rejection(clientOf().fails.onPurpose.query());
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error).toMatchObject({
      message: 'Another caller was first',
      data: { code: 'CONFLICT', httpStatus: 409 },
    });
    expect(busFailure(error)).toBeUndefined();
  });

  it('masks what was thrown by accident, and tells the server alone', async () => {
    errors.length = 0;
    const error = (await rejection(clientOf().fails.byAccident.query())) as TRPCClientError<TestRouter>;
    expect(error.message).toBe('Internal server error');
    expect(JSON.stringify(error.shape)).not.toContain('hunter2');
    expect(errors).toMatchObject([{ path: 'fails.byAccident', unexpected: true }]);
    expect(errors[0]?.error.message).toContain('hunter2');
  });

  it.each([
    ['invalid input', () => clientOf().greet.query({ name: 'x'.repeat(21) }), 'BAD_REQUEST'],
    ['a result without JSON', () => clientOf().cyclic.query(), 'INTERNAL_SERVER_ERROR'],
    ['a stream of results', () => clientOf().stream.query(), 'METHOD_NOT_SUPPORTED'],
    ['an answer over the payload limit', () => clientOf().large.query(1_100_000), 'PAYLOAD_TOO_LARGE'],
    [
      'an answer that is over it with its headers',
      () => clientOf().file.query(1_048_500),
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'more files than a body takes',
      () => clientOf().echo.query(Array(33).fill(Buffer.of(1))),
      'BAD_REQUEST',
    ],
    [
      'an input over the payload limit',
      () => clientOf().echo.query('x'.repeat(1_100_000)),
      'PAYLOAD_TOO_LARGE',
    ],
    ['an unknown path', () => getUntypedClient(clientOf()).query('no.such'), 'NOT_FOUND'],
    ['a path of the prototype', () => getUntypedClient(clientOf()).query('constructor'), 'NOT_FOUND'],
    ['a path of the prototype', () => getUntypedClient(clientOf()).query('__proto__'), 'NOT_FOUND'],
    ['the wrong type', () => getUntypedClient(clientOf()).mutation('greet', { name: 'a' }), 'NOT_FOUND'],
    ['a subscription', () => asPromise(getUntypedClient(clientOf())), 'METHOD_NOT_SUPPORTED'],
  ])('with %s says so', async (_what, call, code) => {
    expect(await rejection(call())).toMatchObject({ data: { code } });
  });

  it('never leaves this process when its path or headers would break the protocol', async () => {
    const untyped = getUntypedClient(clientOf());
    for (const path of ['a b', 'a\r\nPUB rpc.v1.other.x 0\r\n\r\n', 'a.>', '*', '', 'x'.repeat(200)]) {
      const error = await rejection(untyped.query(path));
      expect(error, path).toMatchObject({ data: { code: 'BAD_REQUEST' } });
      expect(busFailure(error)?.started).toBe('no');
    }
    const client = clientOf({ headers: () => ({ 'x-id': 'a\r\nrpc-type: mutation' }) });
    expect(await rejection(client.whoami.query())).toMatchObject({ data: { code: 'BAD_REQUEST' } });
  });

  it('with nobody to serve it is unavailable at once and safe to repeat', async () => {
    const client = createBusClient<TestRouter>(caller.bus, { subjectPrefix: 'rpc.v1.nobody' });
    const error = await rejection(client.greet.query({ name: 'a' }));
    expect(error).toMatchObject({ data: { code: 'SERVICE_UNAVAILABLE' } });
    expect(busFailure(error)).toEqual({
      reason: 'no-responders',
      started: 'no',
      subject: 'rpc.v1.nobody.greet',
    });
    expect(isSafeToRepeat(error)).toBe(true);
  });
});

async function asPromise(untyped: ReturnType<typeof getUntypedClient>): Promise<void> {
  for await (const _ of untyped.subscription('greet', undefined, {})) return;
}

describe('serving', () => {
  it('refuses procedures that no subject can name', async () => {
    const t = initTRPC.create();
    const serve = (name: string) =>
      serveRouter(server.bus, {
        router: t.router({ [name]: t.procedure.query(() => 1) }),
        subjectPrefix: 'rpc.v1.bad',
        queue: 'test',
        createContext: () => ({}),
      });
    await expect(serve('with space')).rejects.toThrow(TypeError);
    await expect(serve('_cancel')).rejects.toThrow('taken by the bus');
    await expect(serveTestRouter(server.bus, { subjectPrefix: 'rpc.>' })).rejects.toThrow(TypeError);
  });
});
