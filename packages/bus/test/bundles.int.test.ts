import { disposeAfterAll, testNats } from '@rubrica/testkit';
import fc from 'fast-check';
import { headers as natsHeaders } from 'nats';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { busFailure, createBusClient } from '../src/index.ts';
import { held, type TestRouter } from './fixtures/router.ts';
import { eventually, forgetSeen, rejection, seen, serveTestRouter, testBus } from './support.ts';

const subjectPrefix = 'rpc.v1.bundles';
/** What went to the router: its subject, and how many calls the message says that it holds. */
const sent: { subject: string; bundle: string }[] = [];

const nats = await disposeAfterAll(testNats());
const server = await testBus(nats.url, 'server');
const caller = await testBus(nats.url, 'caller');
const watcher = await testBus(nats.url, 'watcher');
await serveTestRouter(server.bus, { subjectPrefix });
watcher.bus.nc.subscribe('rpc.v1.>', {
  callback: (_, { subject, headers }) => {
    sent.push({ subject, bundle: headers?.get('rpc-bundle') ?? '' });
  },
});
await watcher.bus.nc.flush();

beforeEach(() => {
  held.until = Promise.withResolvers();
  forgetSeen();
  sent.length = 0;
});

afterAll(async () => {
  for (const one of [caller, server, watcher]) await one?.[Symbol.asyncDispose]();
});

type Options = Partial<Parameters<typeof createBusClient>[1]>;

const clientOf = (options: Options = {}) =>
  createBusClient<TestRouter>(caller.bus, {
    ...{ subjectPrefix, timeoutMs: 20_000, travelsTogether: () => true },
    ...options,
  });

/** The watcher has seen all that was sent so far. */
async function sizesSent(): Promise<string[]> {
  await caller.bus.nc.flush();
  await watcher.bus.nc.flush();
  return sent.map(({ bundle }) => bundle);
}

/** Of what one message may hold. */
const moreThanHalf = () => Math.floor((caller.bus.nc.info?.max_payload ?? 0) * 0.6);

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('queries of two turns that travel together', () => {
  // Who waits longer by more than a moment goes in another message: on a busy machine, the last of forty.
  beforeEach(() => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    onTestFinished(() => clock.mockRestore());
  });

  it('go in messages of sixteen, and each gets its own answer', async () => {
    const client = clientOf();
    const inputs = numbers(40);
    expect(await Promise.all(inputs.map((number) => client.echo.query(number)))).toEqual(inputs);
    expect(await sizesSent()).toEqual(['16', '16', '8']);
    expect(caller.bus.requests.pendingCount()).toBe(0);
  });

  it('go with those to their own procedure, and alone where there is no other', async () => {
    const client = clientOf();
    const answers = [client.echo.query(1), client.greet.query({ name: 'a' }), client.echo.query(2)] as const;
    expect(await Promise.all(answers)).toEqual([1, 'hello a', 2]);
    await sizesSent();
    expect(sent).toEqual([
      { subject: `${subjectPrefix}.echo`, bundle: '2' },
      { subject: `${subjectPrefix}.greet`, bundle: '' },
    ]);
  });

  it('go with those of the next turn, and not with later ones', async () => {
    const client = clientOf();
    const answers = [client.echo.query(1)];
    for (const number of [2, 3]) {
      await new Promise(setImmediate);
      answers.push(client.echo.query(number));
    }
    expect(await Promise.all(answers)).toEqual([1, 2, 3]);
    expect(await sizesSent()).toEqual(['2', '']);
  });

  it('are answered in one write where they end in one turn, though one took more steps', async () => {
    const client = clientOf();
    const labels = numbers(20).map(String);
    const calls = labels.map((label) => client.holdAndStep.query({ label, steps: label === '3' ? 50 : 0 }));
    await eventually(() => seen.started.length === labels.length, 'all run');
    const { transport } = (server.bus.nc as unknown as { protocol: { transport: { send(): void } } })
      .protocol;
    const writes = vi.spyOn(transport, 'send');
    onTestFinished(() => writes.mockRestore());
    held.until.resolve();
    expect(await Promise.all(calls)).toEqual(labels);
    expect(await sizesSent()).toEqual(['16', '4']);
    expect(writes).toHaveBeenCalledTimes(1);
  });

  it('do not where the client was not told, and mutations never do', async () => {
    const client = clientOf({ travelsTogether: (path) => path !== 'echo' });
    await Promise.all([1, 2].map((number) => client.echo.query(number)));
    await Promise.all([1, 2].map(() => client.nothing.mutate()));
    expect(await sizesSent()).toEqual(['', '', '', '']);
  });

  it('carry any JSON and no input, both ways', async () => {
    const client = clientOf();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 2, maxLength: 20 }), async (values) => {
        const plain = values.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
        expect(await Promise.all(values.map((value) => client.echo.query(value)))).toEqual(plain);
      }),
      { numRuns: 50 },
    );
    const inputs = [undefined, 1, undefined];
    expect(await Promise.all(inputs.map((input) => client.echo.query(input)))).toEqual(inputs);
  });

  it('have each its own headers', async () => {
    let number = 0;
    const client = clientOf({ headers: () => ({ 'x-request-id': String(++number) }) });
    const answers = await Promise.all([1, 2, 3].map(() => client.whoami.query()));
    expect(answers.map((headers) => headers['x-request-id'])).toEqual(['1', '2', '3']);
  });

  it('fail each for itself, on purpose and by accident', async () => {
    const client = clientOf();
    const errors = await Promise.all(
      [1, 2].flatMap(() => [
        rejection(client.fails.onPurpose.query()),
        rejection(client.fails.byAccident.query()),
      ]),
    );
    expect(errors.map((error) => (error as Error).message)).toEqual(
      [1, 2].flatMap(() => ['Another caller was first', 'Internal server error']),
    );
    const mixed = await Promise.allSettled([
      client.greet.query({ name: 'a' }),
      client.greet.query({ name: 'a'.repeat(21) }),
    ]);
    expect(mixed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('are sent each alone where one of them cannot be sent, so that the others are not kept', async () => {
    const client = clientOf();
    const answers = await Promise.allSettled([client.echo.query(1n), client.echo.query(2)]);
    expect(answers).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 2 }]);
    expect(await sizesSent()).toEqual(['']);
    const badHeader = { context: { headers: { 'x-name': 'ñ' } } };
    const [refused, taken] = await Promise.allSettled([
      client.echo.query(1, badHeader),
      client.echo.query(2),
    ]);
    expect(taken).toMatchObject({ value: 2 });
    expect(busFailure((refused as PromiseRejectedResult).reason)?.reason).toBe('invalid');
  });

  it('are told that their answers hold bytes', async () => {
    const client = clientOf();
    const bytes = await Promise.all([1, 2].map((size) => rejection(client.file.query(size))));
    for (const error of bytes) expect(error).toMatchObject({ data: { code: 'METHOD_NOT_SUPPORTED' } });
  });

  it('are sent each alone where all together are too large', async () => {
    const client = clientOf({ timeoutMs: 60_000 });
    const inputs = ['a', 'b'].map((letter) => letter.repeat(moreThanHalf()));
    expect(await Promise.all(inputs.map((text) => client.echo.query(text)))).toEqual(inputs);
    expect(await sizesSent()).toEqual(['', '']);
  });

  it('are asked for each alone where all answers together are too large', async () => {
    const sizes = [moreThanHalf(), moreThanHalf() + 1];
    const client = clientOf({ timeoutMs: 60_000 });
    const texts = await Promise.all(sizes.map((size) => client.large.query(size)));
    expect(texts.map(({ length }) => length)).toEqual(sizes);
    expect((await sizesSent()).filter((bundle) => bundle !== '')).toEqual(['2']);
  });
});

describe('waiting', () => {
  it('ends for each at its deadline, and the handlers hear of it', async () => {
    const client = clientOf({ timeoutMs: 700 });
    const errors = await Promise.all(
      ['a', 'b'].map((label) => rejection(client.wait.query({ label, ms: 10_000 }))),
    );
    for (const error of errors) expect(busFailure(error)?.reason).toBe('timeout');
    await eventually(() => seen.aborted.length === 2, 'both handlers were aborted');
  });

  it('is not longer for who travels with one that may wait longer', async () => {
    const client = clientOf();
    const wait = (label: string, timeoutMs: number) =>
      client.wait.query({ label, ms: 600 }, { context: { timeoutMs } });
    const [short, long] = await Promise.allSettled([wait('short', 200), wait('long', 20_000)]);
    expect(short).toMatchObject({ status: 'rejected', reason: { data: { code: 'TIMEOUT' } } });
    expect(long).toMatchObject({ value: 'long' });
  });

  it('is given up by one alone; the others get their answers', async () => {
    const abort = new AbortController();
    const client = clientOf();
    const given = rejection(client.hold.query('given up', { signal: abort.signal }));
    const kept = client.hold.query('kept');
    await eventually(() => seen.started.length === 2, 'both run');
    abort.abort();
    expect(busFailure(await given)?.reason).toBe('aborted');
    held.until.resolve();
    expect(await kept).toBe('kept');
  });

  it('given up by all reaches the handlers', async () => {
    const abort = new AbortController();
    const client = clientOf();
    const calls = ['a', 'b'].map((label) =>
      rejection(client.wait.query({ label, ms: 10_000 }, { signal: abort.signal })),
    );
    await eventually(() => seen.started.length === 2, 'both run');
    abort.abort();
    await Promise.all(calls);
    await eventually(() => seen.aborted.length === 2, 'both handlers were aborted');
    expect(caller.bus.requests.pendingCount()).toBe(0);
  });

  it('given up before the turn has ended sends nothing', async () => {
    const abort = new AbortController();
    const client = clientOf();
    const calls = [1, 2].map((number) => rejection(client.echo.query(number, { signal: abort.signal })));
    abort.abort();
    await Promise.all(calls);
    for (const _ of [1, 2]) await new Promise(setImmediate);
    expect(await sizesSent()).toEqual([]);
  });
});

describe('a server', () => {
  it('that turns the message away tells each, safe to repeat', async () => {
    const prefix = 'rpc.v1.bundles-small';
    const served = await serveTestRouter(server.bus, { subjectPrefix: prefix, maxInFlight: 2 });
    const client = clientOf({ subjectPrefix: prefix });
    const running = ['a', 'b'].map((label) => client.hold.query(label));
    await eventually(() => served.inFlight() === 2, 'both run');
    const errors = await Promise.all([1, 2].map((number) => rejection(client.echo.query(number))));
    for (const error of errors)
      expect(busFailure(error)).toMatchObject({ reason: 'overloaded', started: 'no' });
    held.until.resolve();
    expect(await Promise.all(running)).toEqual(['a', 'b']);
    await eventually(() => served.inFlight() === 0, 'none run');
  });

  it('that nobody runs is told to each', async () => {
    // Where the watcher does not listen.
    const client = clientOf({ subjectPrefix: 'rpc.v0.bundles-nobody' });
    const errors = await Promise.all([1, 2].map((number) => rejection(client.echo.query(number))));
    for (const error of errors) expect(busFailure(error)?.reason).toBe('no-responders');
  });

  it('of a release that knows no bundles is asked for each alone, from then on too', async () => {
    const prefix = 'rpc.v1.bundles-former';
    server.bus.nc.subscribe(`${prefix}.echo`, {
      callback: (_, message) => {
        const id = message.headers?.get('rpc-id');
        const input = message.json<unknown>();
        const refusal = { error: { code: -32_600, message: 'no', data: { code: 'BAD_REQUEST' } } };
        const answer = Array.isArray(input) ? refusal : { id: Number(id), result: { data: input } };
        message.respond(JSON.stringify(answer));
      },
    });
    await server.bus.nc.flush();
    const client = clientOf({ subjectPrefix: prefix });
    for (const _ of [1, 2]) {
      const inputs = numbers(3);
      expect(await Promise.all(inputs.map((number) => client.echo.query(number)))).toEqual(inputs);
    }
    expect(await sizesSent()).toEqual(['3', ...Array(6).fill('')]);
  });

  it.each([
    ['1', '[]'],
    ['2', '[[1,{}]]'],
    ['17', JSON.stringify(Array(17).fill([1, {}]))],
    ['0', '[]'],
    ['x', '[[1,{}]]'],
    ['1', '[[1]]'],
    ['1', '[["1",{}]]'],
    ['1', '[[1,{"a":1}]]'],
    ['1', '[[1,null]]'],
    ['1', '{"0":[1,{}]}'],
  ])('answers a bundle of %s that is %s as BAD_REQUEST', async (bundle, body) => {
    const headers = natsHeaders();
    headers.set('rpc-type', 'query');
    headers.set('rpc-bundle', bundle);
    const answer = await caller.bus.nc.request(`${subjectPrefix}.echo`, body, { headers, timeout: 5_000 });
    expect(answer.json()).toMatchObject({ error: { data: { code: 'BAD_REQUEST' } } });
  });

  it('runs no mutation out of a bundle', async () => {
    const headers = natsHeaders();
    headers.set('rpc-type', 'mutation');
    headers.set('rpc-bundle', '1');
    const body = JSON.stringify([[1, {}, { label: 'bundled', ms: 1 }]]);
    const answer = await caller.bus.nc.request(`${subjectPrefix}.slow`, body, { headers, timeout: 5_000 });
    expect(answer.json()).toMatchObject({ error: { data: { code: 'METHOD_NOT_SUPPORTED' } } });
    expect(seen.started).toEqual([]);
  });

  it('keeps names of headers from being members of every object', async () => {
    const headers = natsHeaders();
    headers.set('rpc-type', 'query');
    headers.set('rpc-bundle', '1');
    const body = '[[1,{"__proto__":"a","X-Name":"b"}]]';
    const answer = await caller.bus.nc.request(`${subjectPrefix}.whoami`, body, { headers, timeout: 5_000 });
    expect(answer.string()).toBe('[{"id":1,"result":{"data":{"__proto__":"a","x-name":"b"}}}]');
  });
});
