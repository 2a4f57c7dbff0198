import { disposeAfterAll, testNats } from '@rubrica/testkit';
import fc from 'fast-check';
import { createInbox, headers as natsHeaders } from 'nats';
import { describe, expect, it } from 'vitest';
import { busFailure, createBusClient, isSafeToRepeat, type ServeError } from '../src/index.ts';
import type { TestRouter } from './fixtures/router.ts';
import { rawClient } from './raw-client.ts';
import {
  crash,
  eventually,
  forgetSeen,
  rejection,
  seen,
  serverProcess,
  serveTestRouter,
  testBus,
} from './support.ts';

const errors: ServeError[] = [];
const subjectPrefix = 'rpc.v1.faults';

forgetSeen();
const nats = await disposeAfterAll(testNats());
const server = await disposeAfterAll(testBus(nats.url, 'server'));
const caller = await disposeAfterAll(testBus(nats.url, 'caller'));
await serveTestRouter(server.bus, { subjectPrefix, onError: (error) => errors.push(error) });

const clientOf = (prefix = subjectPrefix, timeoutMs = 5_000) =>
  createBusClient<TestRouter>(caller.bus, { subjectPrefix: prefix, timeoutMs });

describe('a server that is killed', () => {
  it('in the middle of a call leaves the outcome unknown, and the next call safe to repeat', async () => {
    const prefix = 'rpc.v1.killed';
    await using process = await serverProcess({ servers: nats.url, subjectPrefix: prefix });
    const client = clientOf(prefix, 700);
    const running = rejection(client.slow.mutate({ label: 'killed', ms: 60_000 }));
    await client.greet.query({ name: 'it serves' });
    await process.kill();
    expect(busFailure(await running)).toMatchObject({ reason: 'timeout', started: 'unknown' });
    expect(isSafeToRepeat(await rejection(client.greet.query({ name: 'a' })))).toBe(true);
  });

  it('beside another copy costs no call that is made afterwards', async () => {
    const prefix = 'rpc.v1.pair';
    await using first = await serverProcess({ servers: nats.url, subjectPrefix: prefix });
    await using _second = await serverProcess({ servers: nats.url, subjectPrefix: prefix });
    const client = clientOf(prefix);
    await first.kill();
    const inputs = Array.from({ length: 200 }, (_, number) => number);
    expect(await Promise.all(inputs.map((number) => client.echo.query(number)))).toEqual(inputs);
  });
});

describe('garbage on the subject of a procedure', () => {
  it('is always answered, with an error of the caller, and the server goes on', async () => {
    const types = fc.constantFrom('query', 'mutation', 'subscription', '', 'x');
    const paths = fc.constantFrom('greet', 'slow', 'no.such', '__proto__', 'toString', 'fails');
    await fc.assert(
      fc.asyncProperty(types, paths, fc.uint8Array({ maxLength: 300 }), async (type, path, body) => {
        const headers = natsHeaders();
        headers.set('rpc-type', type);
        const answer = await caller.bus.nc.request(`${subjectPrefix}.${path}`, body, {
          headers,
          timeout: 5_000,
        });
        expect(['BAD_REQUEST', 'PARSE_ERROR', 'NOT_FOUND', 'METHOD_NOT_SUPPORTED']).toContain(
          answer.json<{ error: { data: { code: string } } }>().error.data.code,
        );
      }),
      { numRuns: 300 },
    );
    expect(await clientOf().greet.query({ name: 'Ana' })).toBe('hello Ana');
  });

  it('in the headers too', async () => {
    using raw = await rawClient(nats.port);
    raw.subscribe('_INBOX.raw.*');
    const blocks = [
      'NATS/1.0\r\nrpc type: query\r\n\r\n',
      'NATS/1.0\r\n\x01\xff: x\r\n\r\n',
      'NATS/1.0\r\nno colon\r\n\r\n',
      'NATS/1.0 503\r\n\r\n',
      'NATS/9.9\r\nrpc-type: query\r\n\r\n',
      'NATS/1.0\r\nrpc-type: query',
      '\r\n\r\n',
      'x',
    ];
    for (const [index, block] of blocks.entries()) {
      const headers = Buffer.from(block, 'latin1');
      const reply = `_INBOX.raw.${index}`;
      raw.publish({ subject: `${subjectPrefix}.fails.onPurpose`, reply, headers, data: Buffer.from('{}') });
    }
    for (const index of blocks.keys()) {
      await eventually(() => raw.received().includes(`_INBOX.raw.${index} `), `an answer to block ${index}`);
    }
    expect(await clientOf().greet.query({ name: 'Ana' })).toBe('hello Ana');
    expect(server.faults).toEqual([]);
  });

  it('as an answer fails that call alone', async () => {
    const prefix = 'rpc.v1.babble';
    const babble = server.bus.nc.subscribe(`${prefix}.>`, {
      callback: (_error, message) => void message.respond('<html>'),
    });
    await server.bus.nc.flush();
    const error = await rejection(clientOf(prefix).greet.query({ name: 'a' }));
    babble.unsubscribe();
    expect(error).toMatchObject({ data: { code: 'BAD_GATEWAY' } });
    expect(busFailure(error)).toMatchObject({ reason: 'malformed-answer', started: 'unknown' });
  });
});

describe('a reply subject', () => {
  it('outside the inboxes is never written to', async () => {
    const overheard: string[] = [];
    const targets = ['rpc.v1.other.delete', 'events.certificate.issued', '_INBOXES.a', 'plain'];
    for (const target of targets) {
      caller.bus.nc.subscribe(target, { callback: (_error, { subject }) => overheard.push(subject) });
    }
    await caller.bus.nc.flush();
    errors.length = 0;
    const headers = natsHeaders();
    headers.set('rpc-type', 'query');
    for (const reply of [...targets, '$JS.API.STREAM.NAMES', '$SYS.REQ.USER.INFO']) {
      caller.bus.nc.publish(`${subjectPrefix}.echo`, '"x"', { reply, headers });
    }
    caller.bus.nc.publish(`${subjectPrefix}.echo`, '"x"', { headers });
    await eventually(() => errors.length === targets.length + 3, 'all were noticed');
    expect(errors.every(({ kind }) => kind === 'unanswerable')).toBe(true);
    expect(await clientOf().echo.query('still there')).toBe('still there');
    expect(overheard).toEqual([]);
  });

  it('of a running call cannot be taken by a second one', async () => {
    const inbox = createInbox('_INBOX_caller');
    const answers: string[] = [];
    caller.bus.nc.subscribe(inbox, { callback: (_error, message) => answers.push(message.string()) });
    const headers = natsHeaders();
    headers.set('rpc-type', 'mutation');
    const body = JSON.stringify({ label: 'twin', ms: 200 });
    caller.bus.nc.publish(`${subjectPrefix}.slow`, body, { reply: inbox, headers });
    caller.bus.nc.publish(`${subjectPrefix}.slow`, body, { reply: inbox, headers });
    await eventually(() => answers.length === 2, 'two answers');
    expect(answers[0]).toContain('A call with this reply subject is running');
    expect(seen.started.filter((label) => label === 'twin')).toHaveLength(1);
  });

  it('of another service cannot be guessed by a service that saw some of the same caller', async () => {
    const replies: string[] = [];
    const spy = server.bus.nc.subscribe('rpc.v1.spy.>', {
      callback: (_error, message) => {
        replies.push(message.reply ?? '');
        message.respond('{"result":{"data":"hello spy"}}');
      },
    });
    await server.bus.nc.flush();
    await clientOf('rpc.v1.spy').greet.query({ name: 'a' });
    const honest = clientOf().slow.mutate({ label: 'honest', ms: 300 });
    const [base, number] = [replies[0]?.replace(/[^.]+$/, ''), replies[0]?.split('.').at(-1) ?? ''];
    for (let guess = 0; guess < 50; guess += 1) {
      const next = (Number.parseInt(number, 36) + guess).toString(36);
      server.bus.nc.publish(`${base}${next}`, '{"result":{"data":"forged"}}');
    }
    expect(await honest).toBe('honest');
    spy.unsubscribe();
  });

  it('that is late reaches no other call', async () => {
    const client = clientOf();
    const late = rejection(client.slow.mutate({ label: 'too late', ms: 60 }, { context: { timeoutMs: 1 } }));
    const inputs = Array.from({ length: 200 }, (_, number) => number);
    expect(await Promise.all(inputs.map((number) => client.echo.query(number)))).toEqual(inputs);
    expect(await late).toMatchObject({ data: { code: 'TIMEOUT' } });
  });
});

describe('nats-server killed with SIGKILL', () => {
  it('fails running calls at once, further ones faster, and all is well after a restart', async () => {
    const client = clientOf(subjectPrefix, 60_000);
    const running = rejection(client.slow.mutate({ label: 'cut', ms: 30_000 }));
    await eventually(() => seen.started.includes('cut'), 'it runs');
    await nats.kill();
    const error = await running;
    expect(error).toMatchObject({ data: { code: 'TIMEOUT' } });
    expect(busFailure(error)).toMatchObject({ reason: 'connection-lost', started: 'unknown' });
    const refused = await rejection(client.greet.query({ name: 'a' }));
    expect(busFailure(refused)).toMatchObject({ reason: 'disconnected', started: 'no' });
    expect(caller.bus.isConnected()).toBe(false);
    await nats.restart();
    await eventually(() => caller.bus.isConnected() && server.bus.isConnected(), 'both are back');
    await eventually(async () => {
      const answer = await client.greet.query({ name: 'again' }).catch(() => undefined);
      return answer === 'hello again';
    }, 'calls work again');
  });

  it('during many calls loses none silently: each gets its answer or an error', async () => {
    const client = clientOf(subjectPrefix, 3_000);
    let answered = 0;
    let failed = 0;
    let wrong = 0;
    let stop = false;
    const callers = Array.from({ length: 16 }, async (_, lane) => {
      for (let number = lane; !stop; number += 16) {
        await client.echo.query(number).then(
          (result) => {
            answered += 1;
            if (result !== number) wrong += 1;
          },
          async () => {
            failed += 1;
            await new Promise((resolve) => setTimeout(resolve, 5));
          },
        );
      }
    });
    for (let round = 0; round < 3; round += 1) {
      const before = answered;
      await eventually(() => answered > before + 200, 'calls flow');
      await crash(nats);
    }
    const before = answered;
    await eventually(() => answered > before + 200, 'calls flow again');
    stop = true;
    await Promise.all(callers);
    expect(wrong).toBe(0);
    expect(failed).toBeGreaterThan(0);
    expect(caller.bus.requests.pendingCount()).toBe(0);
  });
});
