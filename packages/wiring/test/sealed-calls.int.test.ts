import { type Bus, busFailure, connectBus, createBusClient, serveRouter } from '@rubrica/bus';
import { services } from '@rubrica/contracts/shared/enumerations';
import { loadKeyring } from '@rubrica/process/keyring';
import {
  disposeAfterAll,
  pollFor,
  scratchDirectory,
  serviceSeals,
  type TestSeals,
  testNats,
  writeServiceKeys,
} from '@rubrica/testkit';
import { initTRPC, TRPCError } from '@trpc/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

/**
 * Two services whose calls are sealed, on a real nats-server without permissions: an attacker hears and says whatever
 * it wants there, and has no key.
 */
const owned = await disposeAfterAll(new AsyncDisposableStack());
let server: Bus;
let caller: Bus;
/** Inputs with which procedures have run. */
let ran: string[];

type Msg = Parameters<NonNullable<NonNullable<Parameters<Bus['nc']['subscribe']>[1]>['callback']>>[1];

const prefix = 'rpc.v2.intake';
const asked = `${prefix}.gateway`;
const subject = `${asked}.things.note`;

/** As services have it: a fault of the bus is told in words of the catalogue. */
const t = initTRPC.create({
  errorFormatter: ({ shape }) =>
    shape.data.code === 'BAD_REQUEST'
      ? { ...shape, message: 'internal error', data: { ...shape.data, code: 'INTERNAL_SERVER_ERROR' } }
      : shape,
});
const waiting = new Map<string, AbortSignal>();
const router = t.router({
  things: t.router({
    note: t.procedure.input(z.string()).mutation(({ input }) => {
      ran.push(input);
      return `noted ${input}`;
    }),
    read: t.procedure.input(z.string()).query(({ input }) => {
      ran.push(input);
      return `read ${input}`;
    }),
    refuse: t.procedure.input(z.string()).query(({ input }) => {
      throw new TRPCError({ code: 'CONFLICT', message: `${input} is taken` });
    }),
    bytes: t.procedure
      .input(z.custom<Buffer>())
      .mutation(({ input }) => ({ file: input, size: input.length })),
    wait: t.procedure.input(z.string()).mutation(async ({ input, signal }) => {
      if (signal !== undefined) waiting.set(input, signal);
      const ended = Promise.withResolvers<void>();
      signal?.addEventListener('abort', () => ended.resolve());
      await ended.promise;
    }),
  }),
});

const nats = owned.use(await testNats());
const { path } = owned.use(await scratchDirectory('seals'));
const { keysFile, peersFile } = await writeServiceKeys(path);
const keysOf: (service: 'gateway' | 'intake') => Promise<TestSeals> = async (service) =>
  serviceSeals(await loadKeyring({ keysFile: keysFile[service], peersFile }, service));
const attacking = await connectBus({ servers: nats.url, name: 'gateway' });
owned.defer(() => attacking.close());
const attacker = attacking.nc;

let opened: AsyncDisposableStack;
beforeEach(() => {
  ran = [];
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

async function open(name: 'gateway' | 'intake', seals: Partial<TestSeals> | 'none' = {}): Promise<Bus> {
  const own = seals === 'none' ? undefined : { ...(await keysOf(name)), ...seals };
  const bus = opened.use(await connectBus({ servers: nats.url, name, seals: own, onFault: () => undefined }));
  return bus;
}

async function serve(bus: Bus, maxInFlight?: number): Promise<void> {
  const served = await serveRouter(bus, {
    router,
    subjectPrefix: prefix,
    callers: services,
    queue: 'intake',
    createContext: () => ({}),
    ...(maxInFlight === undefined ? {} : { maxInFlight }),
  });
  opened.defer(() => served.stop({ graceMs: 0 }));
}

type Seals = Partial<TestSeals> | 'none';

async function start({ server: ofServer, caller: ofCaller }: { server?: Seals; caller?: Seals } = {}) {
  server = await open('intake', ofServer);
  caller = await open('gateway', ofCaller);
  await serve(server);
  return things();
}

const things = (options: { readonly timeoutMs?: number; readonly travelsTogether?: () => boolean } = {}) =>
  createBusClient<typeof router>(caller, { subjectPrefix: asked, timeoutMs: 20_000, ...options }).things;

/** What crosses the bus, as the attacker hears it. */
async function listen(to: string): Promise<Msg[]> {
  const heard: Msg[] = [];
  const subscription = attacker.subscribe(to, { callback: (_, message) => void heard.push(message) });
  opened.defer(async () => subscription.unsubscribe());
  await attacker.flush();
  return heard;
}

const text = (messages: readonly Msg[]) =>
  messages.map(({ data, headers }) => `${Buffer.from(data).toString('latin1')} ${headers ?? ''}`).join('\n');

const reasonOf = (call: Promise<unknown>) =>
  call.then(
    (value) => value,
    (error: unknown) => busFailure(error)?.reason ?? error,
  );

describe('calls and answers that are sealed', () => {
  it('show nothing of what they hold to who hears them', async () => {
    const client = await start();
    const heard = [await listen('rpc.>'), await listen('_INBOX_gateway.>')];
    expect(await client.note.mutate('0102030405')).toBe('noted 0102030405');
    await expect(client.refuse.query('0102030405')).rejects.toThrow('0102030405 is taken');
    await pollFor(() => heard.every((messages) => messages.length === 2), { what: 'both are heard' });
    expect(text(heard.flat())).not.toMatch(/0102030405|rpc-type|result|error/);
  });

  it('carry errors, bytes and calls that travel together', async () => {
    const client = await start();
    const file = Buffer.alloc(41_000, 7);
    expect(await client.bytes.mutate(file)).toEqual({ file, size: 41_000 });
    await expect(client.refuse.query('a')).rejects.toMatchObject({ data: { code: 'CONFLICT' } });
    const heard = await listen('rpc.>');
    const together = things({ travelsTogether: () => true });
    expect(await Promise.all(['a', 'b', 'c'].map((one) => together.read.query(one)))).toEqual([
      'read a',
      'read b',
      'read c',
    ]);
    expect(heard).toHaveLength(1);
  });

  it('are aborted as others are', async () => {
    const client = await start();
    const giveUp = new AbortController();
    const call = client.wait.mutate('long', { signal: giveUp.signal });
    const signal = await pollFor(() => waiting.get('long'), { what: 'it runs' });
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ data: { code: 'CLIENT_CLOSED_REQUEST' } });
    await pollFor(() => signal?.aborted, { what: 'it is aborted' });
  });

  it('say in clear only that nobody listens, and that there is no room', async () => {
    server = await open('intake');
    caller = await open('gateway');
    expect(await reasonOf(things().note.mutate('a'))).toBe('no-responders');
    await serve(server, 0);
    expect(await reasonOf(things().note.mutate('a'))).toBe('overloaded');
  });
});

describe('who has no key', () => {
  it('has a copy of a call run no second time', async () => {
    const client = await start();
    const heard = await listen('rpc.>');
    await client.note.mutate('once');
    const [call] = heard;
    if (call === undefined) throw new Error('nothing was heard');
    const answers = await listen('_INBOX_gateway.copies');
    for (const reply of [call.reply, '_INBOX_gateway.copies', '_INBOX_gateway.copies'])
      attacker.publish(call.subject, call.data, { reply: reply ?? '' });
    await attacker.flush();
    await client.note.mutate('later');
    expect(ran).toEqual(['once', 'later']);
    expect(answers).toEqual([]);
  });

  it('is not heard for a while after a flood of calls that cannot be opened', async () => {
    server = await open('intake');
    caller = await open('gateway');
    await serve(server, 1_000_000);
    const flood = async () => {
      for (let sent = 0; sent < 20_000; sent += 1)
        attacker.publish(`${asked}.things.note`, Buffer.from('\u0001garbage'), {
          reply: `_INBOX_gateway.flood.${sent}`,
        });
      await attacker.flush();
      return (await reasonOf(things({ timeoutMs: 1_000 }).note.mutate('a'))) === 'no-responders';
    };
    await pollFor(flood, { what: 'calls of the caller are not taken' });
    await pollFor(async () => (await reasonOf(things().note.mutate('b'))) === 'noted b', {
      what: 'calls are taken again',
    });
    expect(ran).not.toEqual([]);
  });

  it('has no call run at another procedure, in clear, or of its own making', async () => {
    const client = await start();
    const heard = await listen('rpc.>');
    await client.note.mutate('true');
    const [call] = heard;
    const data = call?.data ?? Buffer.of();
    const ask = (to: string, body: Uint8Array) => attacker.request(to, body, { timeout: 5_000 });
    const answers = [
      await ask(`${asked}.things.read`, data),
      await ask(subject, Buffer.concat([data.subarray(0, -1), Buffer.of(0), Buffer.of(0)])),
      await ask(subject, Buffer.of()),
    ];
    const codes = answers.map((one) => one.json<{ bus?: string }>().bus);
    expect(codes).toEqual(['not-opened', 'not-opened', 'not-opened']);
    const inClear = createBusClient<typeof router>(attacking, { subjectPrefix: asked, timeoutMs: 5_000 });
    expect(await reasonOf(inClear.things.note.mutate('forged'))).toBe('not-opened');
    expect(ran).toEqual(['true']);
  });

  it('is not believed as the service, whatever it answers, and the true answer counts after it', async () => {
    caller = await open('gateway');
    server = await open('intake');
    const recorded: Uint8Array[] = [];
    const forged = (message: Msg) => [
      '{"id":1,"result":{"data":"forged"}}',
      '{"result":{"data":"forged"}}',
      '{"error":{"code":-32004,"message":"forged","data":{"code":"NOT_FOUND"}}}',
      // As a copy answers that knows no seals: the call must not be said in clear for it.
      '{"error":{"code":-32603,"message":"internal error","data":{"code":"INTERNAL_SERVER_ERROR"}}}',
      message.data,
      ...recorded,
    ];
    const second = attacker.subscribe(`${prefix}.>`, {
      callback: (_, message) => {
        for (const answer of forged(message)) attacker.publish(message.reply ?? '', answer);
      },
    });
    opened.defer(async () => second.unsubscribe());
    const answers = await listen('_INBOX_gateway.>');
    await serve(server);
    expect(await things().note.mutate('a')).toBe('noted a');
    const sealed = await pollFor(() => answers.find(({ data }) => data[0] === 2), { what: 'an answer' });
    if (sealed !== undefined) recorded.push(sealed.data);
    const calls = await listen('rpc.>');
    expect(await things().note.mutate('b')).toBe('noted b');
    expect(calls.map(({ data }) => data[0])).toEqual([1]);
  });

  it('ends a call where no true answer comes, and gives it nothing', async () => {
    caller = await open('gateway');
    const alone = attacker.subscribe('rpc.v2.generation.>', {
      callback: (_, message) => void message.respond('{"id":1,"result":{"data":"forged"}}'),
    });
    opened.defer(async () => alone.unsubscribe());
    await attacker.flush();
    const options = { subjectPrefix: 'rpc.v2.generation.gateway', timeoutMs: 300 };
    const client = createBusClient<typeof router>(caller, options);
    expect(await reasonOf(client.things.note.mutate('a'))).toBe('timeout');
  });
});

describe('a release that knows no seals, during an upgrade', () => {
  const accepted = { required: false } as const;

  it('is called by this one, and calls it, where both kinds are accepted', async () => {
    const client = await start({ server: 'none', caller: accepted });
    expect(await client.note.mutate('by this one')).toBe('noted by this one');
    const together = things({ travelsTogether: () => true });
    expect(await Promise.all([together.read.query('a'), together.read.query('b')])).toEqual([
      'read a',
      'read b',
    ]);
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
    expect(await (await start({ server: accepted, caller: 'none' })).note.mutate('by that one')).toBe(
      'noted by that one',
    );
  });

  it('beside a copy of this one costs no call, and those of two copies of this release stay sealed', async () => {
    const client = await start({ server: accepted, caller: accepted });
    const heard = await listen('rpc.>');
    await client.note.mutate('sealed');
    expect(text(heard)).not.toContain('sealed');
    await serve(await open('intake', 'none'));
    const numbers = Array.from({ length: 60 }, (_, at) => String(at));
    expect(await Promise.all(numbers.map((number) => client.note.mutate(number)))).toEqual(
      numbers.map((number) => `noted ${number}`),
    );
    expect(ran.slice(1).toSorted()).toEqual(numbers.toSorted());
  });

  it('is neither called nor answered where seals are required', async () => {
    await start({ server: 'none' });
    expect(await reasonOf(things({ timeoutMs: 300 }).note.mutate('a'))).toBe('timeout');
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
    await start({ caller: 'none' });
    await expect(things().note.mutate('a')).rejects.toMatchObject({ data: { code: 'SERVICE_UNAVAILABLE' } });
    expect(ran).toEqual([]);
  });
});
