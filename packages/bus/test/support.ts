import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestNats } from '@rubrica/testkit';
import type { AnyTRPCRouter } from '@trpc/server';
import { type Bus, connectBus, type ServedRouter, type ServeOptions, serveRouter } from '../src/index.ts';
import { forgetSeen, seen, type TestRouter, testRouter } from './fixtures/router.ts';

export { forgetSeen, seen };

/** Polls until `check` gives something truthy; fails with `what` after 20 s. */
export async function eventually<T>(check: () => T | Promise<T>, what: string): Promise<NonNullable<T>> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    const value = await check();
    if (value) return value;
    await delay(10);
  }
  throw new Error(`never happened: ${what}`);
}

export interface TestBus extends AsyncDisposable {
  readonly bus: Bus;
  readonly faults: string[];
}

export async function testBus(
  servers: string | string[],
  name: string,
  credentials: { user?: string; password?: string } = {},
): Promise<TestBus> {
  const faults: string[] = [];
  const bus = await connectBus({
    servers,
    name,
    ...credentials,
    reconnectWaitMs: 50,
    onFault: (error, where) => faults.push(`${where}: ${error.message}`),
  });
  return { bus, faults, [Symbol.asyncDispose]: () => bus.close() };
}

/** Serves the test router with a context that is the call itself. */
export function serveTestRouter(
  bus: Bus,
  options: Partial<ServeOptions<TestRouter>> & { subjectPrefix: string },
): Promise<ServedRouter> {
  return serveRouter(bus, {
    router: testRouter,
    queue: 'test',
    createContext: (call) => call,
    ...options,
  } as ServeOptions<AnyTRPCRouter>);
}

/** The test router in a process of its own, ready for calls. */
export async function serverProcess(options: {
  servers: string;
  subjectPrefix: string;
}): Promise<AsyncDisposable & { kill(): Promise<void> }> {
  const file = join(import.meta.dirname, 'fixtures', 'server-process.ts');
  const child: ChildProcess = fork(file, [options.servers, options.subjectPrefix, 'test']);
  await once(child, 'message');
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  return { kill, [Symbol.asyncDispose]: kill };
}

/** What a promise was rejected with; fails when it was not. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it should have been rejected');
}

/** SIGKILL, then a start on the same port and store. */
export async function crash(nats: TestNats): Promise<void> {
  await nats.kill();
  await nats.restart();
}
