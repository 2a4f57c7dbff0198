import { type NatsUser, type TestNats, testNats } from '@rubrica/testkit';
import { headers as natsHeaders } from 'nats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { busFailure, createBusClient, type ServeError } from '../src/index.ts';
import type { TestRouter } from './fixtures/router.ts';
import { eventually, rejection, seen, serveTestRouter, type TestBus, testBus } from './support.ts';

const subjectPrefix = 'rpc.v2.named';

const caller = (name: string): NatsUser => ({
  user: name,
  password: `${name}-password`,
  publish: { allow: [`${subjectPrefix}.${name}.>`] },
  subscribe: { allow: [`_INBOX_${name}.>`] },
});

let nats: TestNats;
let [server, alice, mallory]: TestBus[] = [];
const callers: (string | undefined)[] = [];
const failures: ServeError[] = [];
const resources = new AsyncDisposableStack();

beforeAll(async () => {
  const all: NatsUser = { user: 'server', password: 'server-password' };
  nats = resources.use(await testNats({ users: [all, caller('alice'), caller('mallory')] }));
  const as = async (name: string) =>
    resources.use(await testBus(nats.url, name, { user: name, password: `${name}-password` }));
  [server, alice, mallory] = [await as('server'), await as('alice'), await as('mallory')];
  await serveTestRouter((server as TestBus).bus, {
    subjectPrefix,
    namesCaller: true,
    createContext: (call) => {
      callers.push(call.caller);
      return call;
    },
    onError: (failure) => failures.push(failure),
  });
});
afterAll(() => resources.disposeAsync());

describe('a router whose subjects name the caller', () => {
  const clientOf = (bus: TestBus | undefined, name: string) =>
    createBusClient<TestRouter>((bus as TestBus).bus, { subjectPrefix: `${subjectPrefix}.${name}` });

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

  it('answers a subject that ends with the name of a caller', async () => {
    const { nc } = (server as TestBus).bus;
    const answer = await nc.request(`${subjectPrefix}.server`, undefined, { timeout: 2_000 });
    expect(answer.json()).toMatchObject({ error: { data: { code: 'BAD_REQUEST' } } });
  });
});
