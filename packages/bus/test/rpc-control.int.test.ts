import { disposeAfterAll, testNats } from '@rubrica/testkit';
import { createTRPCClient } from '@trpc/client';
import { headers as natsHeaders } from 'nats';
import { describe, expect, it } from 'vitest';
import { busFailure, busLink, createBusClient, isSafeToRepeat } from '../src/index.ts';
import type { TestRouter } from './fixtures/router.ts';
import { eventually, forgetSeen, rejection, seen, serveTestRouter, testBus } from './support.ts';

forgetSeen();
const nats = await disposeAfterAll(testNats());
const server = await disposeAfterAll(testBus(nats.url, 'server'));
const caller = await disposeAfterAll(testBus(nats.url, 'caller'));
await serveTestRouter(server.bus, { subjectPrefix: 'rpc.v1.test' });

const clientOf = (options: Partial<Parameters<typeof createBusClient>[1]> = {}) =>
  createBusClient<TestRouter>(caller.bus, { subjectPrefix: 'rpc.v1.test', timeoutMs: 5_000, ...options });

describe('a deadline', () => {
  it('ends the wait as TIMEOUT, outcome unknown, and aborts the handler', async () => {
    const call = clientOf().slow.mutate({ label: 'late', ms: 10_000 }, { context: { timeoutMs: 100 } });
    const error = await rejection(call);
    expect(error).toMatchObject({ data: { code: 'TIMEOUT' } });
    expect(busFailure(error)).toMatchObject({ reason: 'timeout', started: 'unknown' });
    expect(isSafeToRepeat(error)).toBe(false);
    await eventually(() => seen.aborted.includes('late'), 'the handler was aborted');
  });

  it('that has passed already keeps the call from being sent', async () => {
    const client = clientOf({ deadlineAt: () => Date.now() - 1 });
    const error = await rejection(client.slow.mutate({ label: 'never', ms: 1 }));
    expect(busFailure(error)).toMatchObject({ reason: 'deadline-passed', started: 'no' });
    expect(seen.started).not.toContain('never');
  });

  it('that passed on the way keeps the procedure from running', async () => {
    const headers = natsHeaders();
    headers.set('rpc-type', 'mutation');
    headers.set('rpc-deadline-ms', '0');
    const body = JSON.stringify({ label: 'too late', ms: 1 });
    const answer = await caller.bus.nc.request('rpc.v1.test.slow', body, { headers, timeout: 5_000 });
    expect(answer.json()).toMatchObject({ bus: 'deadline-passed', error: { data: { code: 'TIMEOUT' } } });
    expect(seen.started).not.toContain('too late');
  });

  it('that passes while the context is made keeps the procedure from running', async () => {
    const subjectPrefix = 'rpc.v1.slow-context';
    const served = await serveTestRouter(server.bus, {
      subjectPrefix,
      createContext: async (call) => {
        await eventually(() => (call.deadlineAt ?? 0) <= Date.now(), 'the deadline');
        return call;
      },
    });
    const client = createBusClient<TestRouter>(caller.bus, { subjectPrefix, timeoutMs: 50 });
    const error = await rejection(client.slow.mutate({ label: 'context', ms: 1 }));
    expect(error).toMatchObject({ data: { code: 'TIMEOUT' } });
    await eventually(() => served.inFlight() === 0, 'the server answered');
    expect(seen.started).not.toContain('context');
  });
});

describe('an abort', () => {
  it('ends the call at once and reaches the handler', async () => {
    const abort = new AbortController();
    const call = clientOf().slow.mutate({ label: 'aborted', ms: 10_000 }, { signal: abort.signal });
    await eventually(() => seen.started.includes('aborted'), 'the handler runs');
    abort.abort();
    const error = await rejection(call);
    expect(error).toMatchObject({ data: { code: 'CLIENT_CLOSED_REQUEST' } });
    expect(busFailure(error)).toMatchObject({ reason: 'aborted', started: 'unknown' });
    await eventually(() => seen.aborted.includes('aborted'), 'the handler was aborted');
    expect(seen.ended).not.toContain('aborted');
  });

  it('before the call keeps it from being sent', async () => {
    const call = clientOf().slow.mutate({ label: 'unsent', ms: 1 }, { signal: AbortSignal.abort() });
    expect(await rejection(call)).toMatchObject({ data: { code: 'CLIENT_CLOSED_REQUEST' } });
    expect(seen.started).not.toContain('unsent');
  });

  it('through links reaches the handler too', async () => {
    const client = createTRPCClient<TestRouter>({
      links: [busLink(caller.bus, { subjectPrefix: 'rpc.v1.test' })],
    });
    const abort = new AbortController();
    const call = client.slow.mutate({ label: 'linked', ms: 10_000 }, { signal: abort.signal });
    await eventually(() => seen.started.includes('linked'), 'the handler runs');
    abort.abort();
    await rejection(call);
    await eventually(() => seen.aborted.includes('linked'), 'the handler was aborted');
  });
});

describe('load', () => {
  it('over the limit is turned away, safe to repeat, while running calls end well', async () => {
    const subjectPrefix = 'rpc.v1.small';
    const served = await serveTestRouter(server.bus, { subjectPrefix, maxInFlight: 2 });
    const client = createBusClient<TestRouter>(caller.bus, { subjectPrefix });
    const abort = new AbortController();
    const running = ['one', 'two'].map((label) =>
      rejection(client.slow.mutate({ label, ms: 60_000 }, { signal: abort.signal })),
    );
    await eventually(() => served.inFlight() === 2, 'both run');
    const error = await rejection(client.greet.query({ name: 'a' }));
    expect(error).toMatchObject({ data: { code: 'SERVICE_UNAVAILABLE' } });
    expect(busFailure(error)?.reason).toBe('overloaded');
    expect(isSafeToRepeat(error)).toBe(true);
    abort.abort();
    await Promise.all(running);
    await eventually(() => served.inFlight() === 0, 'none run');
    expect(await client.greet.query({ name: 'a' })).toBe('hello a');
  });

  it('of a bulkhead takes no room of other calls, nor they of it', async () => {
    const subjectPrefix = 'rpc.v1.apart';
    const bulkheadFor = (path: string) => (path === 'slow' ? { name: 'slow', maxInFlight: 2 } : undefined);
    await serveTestRouter(server.bus, { subjectPrefix, maxInFlight: 1, bulkheadFor });
    const client = createBusClient<TestRouter>(caller.bus, { subjectPrefix });
    const abort = new AbortController();
    const slow = (label: string) =>
      rejection(client.slow.mutate({ label, ms: 60_000 }, { signal: abort.signal }));
    const running = ['apart one', 'apart two'].map(slow);
    await eventually(() => seen.started.includes('apart two'), 'both run');
    expect(busFailure(await slow('apart three'))?.reason).toBe('overloaded');
    expect(await client.echo.query(1)).toBe(1);
    abort.abort();
    await Promise.all(running);
    await eventually(() => seen.aborted.includes('apart two'), 'both ended');
    expect(seen.started).not.toContain('apart three');
    const again = client.slow.mutate({ label: 'apart four', ms: 1 });
    expect(await again).toBeDefined();
  });

  it('of a thousand calls at once gets a thousand right answers', async () => {
    const subjectPrefix = 'rpc.v1.wide';
    await serveTestRouter(server.bus, { subjectPrefix, maxInFlight: 2_000 });
    const client = createBusClient<TestRouter>(caller.bus, { subjectPrefix });
    const inputs = Array.from({ length: 1_000 }, (_, number) => number);
    expect(await Promise.all(inputs.map((number) => client.echo.query(number)))).toEqual(inputs);
    expect(caller.bus.requests.pendingCount()).toBe(0);
  });
});

describe('stopping a server', () => {
  it('finishes the calls that run and takes no more', async () => {
    const subjectPrefix = 'rpc.v1.stopping';
    const served = await serveTestRouter(server.bus, { subjectPrefix });
    const client = createBusClient<TestRouter>(caller.bus, { subjectPrefix });
    const running = client.slow.mutate({ label: 'running', ms: 200 });
    await eventually(() => seen.started.includes('running'), 'it runs');
    await served.stop();
    expect(seen.ended).toContain('running');
    expect(await running).toBe('running');
    expect(busFailure(await rejection(client.greet.query({ name: 'a' })))?.reason).toBe('no-responders');
  });

  it('aborts calls that outlast its patience', async () => {
    const subjectPrefix = 'rpc.v1.impatient';
    const served = await serveTestRouter(server.bus, { subjectPrefix });
    const client = createBusClient<TestRouter>(caller.bus, { subjectPrefix });
    const running = rejection(client.slow.mutate({ label: 'endless', ms: 60_000 }));
    await eventually(() => seen.started.includes('endless'), 'it runs');
    await served.stop({ graceMs: 20 });
    expect(await running).toMatchObject({ message: 'The service is stopping' });
  });
});
