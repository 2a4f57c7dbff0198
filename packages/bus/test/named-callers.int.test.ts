import { disposeAfterAll, type NatsUser, testNats } from '@rubrica/testkit';
import { headers as natsHeaders } from 'nats';
import { describe, expect, it } from 'vitest';
import { busFailure, type CallInfo, createBusClient, type ServeError } from '../src/index.ts';
import type { TestRouter } from './fixtures/router.ts';
import { eventually, rejection, seen, serveTestRouter, type TestBus, testBus } from './support.ts';

const subjectPrefix = 'rpc.v2.named';

const caller = (name: string): NatsUser => ({
  user: name,
  password: `${name}-password`,
  publish: { allow: [`rpc.v2.*.${name}.>`] },
  subscribe: { allow: [`_INBOX_${name}.>`] },
});
let [server, alice, mallory]: TestBus[] = [];
const callers: (string | undefined)[] = [];
const failures: ServeError[] = [];
const resources = await disposeAfterAll(new AsyncDisposableStack());

const all: NatsUser = { user: 'server', password: 'server-password' };
const nats = resources.use(await testNats({ users: [all, caller('alice'), caller('mallory')] }));
const as = async (name: string) =>
  resources.use(await testBus(nats.url, name, { user: name, password: `${name}-password` }));
[server, alice, mallory] = [await as('server'), await as('alice'), await as('mallory')];
await serveTestRouter((server as TestBus).bus, {
  subjectPrefix,
  callers: ['alice', 'mallory'],
  createContext: (call) => {
    callers.push(call.caller);
    return call;
  },
  onError: (failure) => failures.push(failure),
});

describe('a router whose subjects name the caller', () => {
  const clientOf = (bus: TestBus | undefined, name: string, prefix = subjectPrefix) =>
    createBusClient<TestRouter>((bus as TestBus).bus, { subjectPrefix: `${prefix}.${name}` });

  it('knows its caller by the subject', async () => {
    await clientOf(alice, 'alice').greet.query({ name: 'x' });
    expect(callers.at(-1)).toBe('alice');
    await clientOf(mallory, 'mallory').greet.query({ name: 'x' });
    expect(callers.at(-1)).toBe('mallory');
  });

  it('is not called under the name of another: nats-server takes no such message', async () => {
    const refused = await rejection(clientOf(mallory, 'alice').greet.query({ name: 'x' }));
    expect(busFailure(refused)).toMatchObject({ reason: 'refused', started: 'no' });
  });

  it('answers nobody in the inbox of another', async () => {
    const before = failures.length;
    const heard: string[] = [];
    (alice as TestBus).bus.nc.subscribe('_INBOX_alice.stolen', {
      callback: (_, { data }) => heard.push(String(data)),
    });
    const headers = natsHeaders();
    headers.set('rpc-type', 'query');
    const options = { reply: '_INBOX_alice.stolen', headers };
    (mallory as TestBus).bus.nc.publish(
      `${subjectPrefix}.mallory.greet`,
      Buffer.from('{"name":"x"}'),
      options,
    );
    await eventually(() => failures.length > before, 'the call is noted');
    expect(failures.at(-1)).toMatchObject({ kind: 'unanswerable' });
    await clientOf(alice, 'alice').greet.query({ name: 'x' });
    expect(heard).toEqual([]);
  });

  it('is told by nobody else to abort a call', async () => {
    const observed = (server as TestBus).bus.nc.subscribe(`${subjectPrefix}.alice.slow`, { max: 1 });
    await (server as TestBus).bus.nc.flush();
    const slow = clientOf(alice, 'alice').slow.mutate({ label: 'not aborted', ms: 400 });
    let reply = '';
    for await (const message of observed) reply = message.reply ?? '';
    expect(reply).toMatch(/^_INBOX_alice\./);
    (mallory as TestBus).bus.nc.publish(`${subjectPrefix}.mallory._cancel`, undefined, { reply });
    expect(await slow).toBe('not aborted');
    expect(seen.aborted).not.toContain('not aborted');
  });

  it('has room for each caller by itself', async () => {
    const prefix = 'rpc.v2.rooms';
    const bulkheadFor = (path: string) => (path === 'wait' ? { name: 'wait', maxInFlight: 1 } : undefined);
    const served = await serveTestRouter((server as TestBus).bus, {
      ...{ subjectPrefix: prefix, callers: ['alice', 'mallory'], maxInFlight: 2, bulkheadFor },
    });
    const [ofAlice, ofMallory] = [clientOf(alice, 'alice', prefix), clientOf(mallory, 'mallory', prefix)];
    const abort = new AbortController();
    const { signal } = abort;
    const running = ['one', 'two', 'three'].map((label) =>
      rejection(ofMallory.slow.mutate({ label, ms: 60_000 }, { signal })),
    );
    const waiting = rejection(ofMallory.wait.query({ label: 'waits', ms: 60_000 }, { signal }));
    await eventually(() => seen.started.includes('two') && seen.started.includes('waits'), 'they run');
    expect(busFailure(await rejection(ofMallory.greet.query({ name: 'x' })))?.reason).toBe('overloaded');
    const second = await rejection(ofMallory.wait.query({ label: 'no', ms: 1 }));
    expect(busFailure(second)?.reason).toBe('overloaded');
    expect(await ofAlice.greet.query({ name: 'x' })).toBe('hello x');
    expect(await ofAlice.wait.query({ label: 'yes', ms: 1 })).toBe('yes');
    abort.abort();
    await Promise.all([...running, waiting]);
    await eventually(() => served.inFlight() === 0, 'none run');
    expect(await ofMallory.greet.query({ name: 'x' })).toBe('hello x');
  });

  it('shares calls with a copy that subscribes to those of all callers', async () => {
    const prefix = 'rpc.v2.copies';
    const callers = ['alice', 'mallory'];
    const contexts: string[] = [];
    const createContext = (call: CallInfo) => {
      contexts.push(call.path);
      return call;
    };
    await serveTestRouter((server as TestBus).bus, { subjectPrefix: prefix, callers, createContext });
    const taken: string[] = [];
    (server as TestBus).bus.nc.subscribe(`${prefix}.>`, {
      queue: 'test',
      callback: (_, message) => {
        taken.push(message.subject);
        message.respond(Buffer.from('{"bus":"overloaded","error":{"message":"x","code":-32000,"data":{}}}'));
      },
    });
    await (server as TestBus).bus.nc.flush();
    const client = clientOf(alice, 'alice', prefix);
    const calls = Array.from({ length: 200 }, (_, number) =>
      client.echo.query(number).catch(() => undefined),
    );
    await Promise.all(calls);
    expect(contexts.length + taken.length).toBe(200);
    expect(Math.min(contexts.length, taken.length)).toBeGreaterThan(0);
  });

  it.each([
    ['that nobody can answer', 'mallory.greet', undefined],
    ['beyond the room', 'mallory.greet', '_INBOX_mallory'],
    ['that abort nothing', 'mallory._cancel', '_INBOX_mallory'],
  ])('takes nothing of a caller for a while after a flood of messages %s', async (_kind, path, inbox) => {
    const prefix = `rpc.v2.flood-${path.length}-${inbox?.length ?? 0}`;
    const { bus, faults } = server as TestBus;
    await serveTestRouter(bus, {
      ...{ subjectPrefix: prefix, callers: ['alice', 'mallory'], maxInFlight: inbox === undefined ? 256 : 0 },
      bulkheadFor: (name) => (name === 'echo' ? { name, maxInFlight: 1 } : undefined),
    });
    const ofMallory = clientOf(mallory, 'mallory', prefix);
    const { nc } = (mallory as TestBus).bus;
    const isPausedByFlood = async () => {
      const noted = faults.length;
      for (let sent = 0; sent < 20_000; sent += 1) {
        const options = inbox === undefined ? {} : { reply: `${inbox}.${sent}` };
        nc.publish(`${prefix}.${path}`, Buffer.from('x'), options);
      }
      await nc.flush();
      await eventually(() => faults.length > noted, 'the flood is noted');
      expect(faults.at(-1)).toContain('calls of mallory');
      await bus.nc.flush();
      const failure = await ofMallory.echo.query(1).catch(busFailure);
      return (failure as ReturnType<typeof busFailure>)?.reason === 'no-responders';
    };
    await eventually(isPausedByFlood, 'calls of the caller are not taken');
    expect(await clientOf(alice, 'alice', prefix).echo.query(2)).toBe(2);
    await eventually(() => ofMallory.echo.query(3).catch(() => undefined), 'calls are taken again');
  });
});
