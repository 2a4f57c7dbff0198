import { disposeAfterAll, testNats } from '@rubrica/testkit';
import type { Msg } from 'nats';
import { describe, expect, it } from 'vitest';
import { createBusClient } from '../src/index.ts';
import type { TestRouter } from './fixtures/router.ts';
import { eventually, rejection, serveTestRouter, testBus } from './support.ts';

const nats = await disposeAfterAll(testNats({ extraConfig: 'max_payload: 1MB' }));
const server = await disposeAfterAll(testBus(nats.url, 'server'));
const caller = await disposeAfterAll(testBus(nats.url, 'caller'));

const clientOf = (subjectPrefix: string) =>
  createBusClient<TestRouter>(caller.bus, { subjectPrefix, timeoutMs: 5_000 });
const idOf = (message: Msg | undefined) => Number(message?.headers?.get('rpc-id'));
const answer = (data: unknown, id?: number) => JSON.stringify({ id, result: { data } });

/** Hears calls and leaves it to the test to answer them. */
async function stage(subjectPrefix: string) {
  const calls: Msg[] = [];
  server.bus.nc.subscribe(`${subjectPrefix}.>`, { callback: (_error, message) => calls.push(message) });
  await server.bus.nc.flush();
  /** The call of this number, counted from 0, once it is there. */
  const heard = (index: number) => eventually(() => calls[index], `call ${index}`);
  return { calls, heard, client: clientOf(subjectPrefix) };
}

describe('a reply subject', () => {
  it('is used again once an answer has named its call', async () => {
    const { heard, client } = await stage('rpc.v1.again');
    const first = client.echo.query(1);
    const one = await heard(0);
    one.respond(answer('one', idOf(one)));
    expect(await first).toBe('one');
    const second = client.echo.query(2);
    const two = await heard(1);
    expect(two.reply).toBe(one.reply);
    expect(idOf(two)).not.toBe(idOf(one));
    two.respond(answer('two', idOf(two)));
    expect(await second).toBe('two');
  });

  it('brings a call no answer to the call that had it before, however often that comes', async () => {
    const { heard, client } = await stage('rpc.v1.twice');
    const first = client.echo.query(1);
    const one = await heard(0);
    one.respond(answer('one', idOf(one)));
    await first;
    const second = client.echo.query(2);
    const two = await heard(1);
    expect(two.reply).toBe(one.reply);
    one.respond(answer('one', idOf(one)));
    one.respond(JSON.stringify({ id: idOf(one), bus: 'overloaded', error: {} }));
    one.respond(JSON.stringify({ id: idOf(one), error: { code: -32009, message: 'taken' } }));
    two.respond(answer('two', idOf(two)));
    expect(await second).toBe('two');
    expect(caller.bus.requests.pendingCount()).toBe(0);
  });

  it('is not used again after an answer that names no call', async () => {
    const { heard, client } = await stage('rpc.v1.nameless');
    const first = client.echo.query(1);
    const one = await heard(0);
    one.respond(answer('one'));
    expect(await first).toBe('one');
    void client.echo.query(2).catch(() => undefined);
    const two = await heard(1);
    expect(two.reply).not.toBe(one.reply);
    two.respond(answer('two'));
  });

  it.each(['timed out', 'was given up'])('is not used again after a call that %s', async (how) => {
    const { heard, client } = await stage(`rpc.v1.${how.replaceAll(' ', '-')}`);
    const abort = new AbortController();
    const options = how === 'timed out' ? { context: { timeoutMs: 1 } } : { signal: abort.signal };
    const first = rejection(client.echo.query(1, options));
    const one = await heard(0);
    abort.abort();
    await first;
    one.respond(answer('late', idOf(one)));
    const second = client.echo.query(2);
    const two = await heard(how === 'timed out' ? 1 : 2);
    expect(two.reply).not.toBe(one.reply);
    two.respond(answer('two', idOf(two)));
    expect(await second).toBe('two');
  });

  it('is one for all calls of a client that makes one after the other', async () => {
    const prefix = 'rpc.v1.served';
    const served = await serveTestRouter(server.bus, { subjectPrefix: prefix });
    const replies = new Set<string | undefined>();
    const ear = server.bus.nc.subscribe(`${prefix}.>`, {
      callback: (_error, { reply }) => replies.add(reply),
    });
    await server.bus.nc.flush();
    const client = clientOf(prefix);
    for (let number = 0; number < 20; number += 1) expect(await client.echo.query(number)).toBe(number);
    await rejection(client.fails.onPurpose.query());
    await rejection(client.fails.byAccident.query());
    await rejection(client.large.query(1_100_000));
    await rejection(client.cyclic.query());
    expect(await client.echo.query({ file: Buffer.of(1) })).toEqual({ file: Buffer.of(1) });
    expect(replies.size).toBe(1);
    ear.unsubscribe();
    await served.stop();
  });
});
