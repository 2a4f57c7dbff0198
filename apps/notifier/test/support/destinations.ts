import type { Caller } from '@rubrica/contracts/shared/caller';
import { someDatabases, type TestDatabases } from '@rubrica/testkit';
import { afterAll, beforeAll, expect } from 'vitest';
import { operatorsCalls } from './calls.ts';
import { notifierSchema } from './database.ts';
import { type KeyFolder, keyFolder } from './keyrings.ts';
import { type NotifierUnderTest, startNotifier } from './notifier.ts';
import type { Receiver } from './receiver.ts';

/** Databases and keys for the tests of one file. @returns how a test starts a notifier of its own */
export function notifierGround() {
  let databases: TestDatabases & AsyncDisposable;
  let keys: KeyFolder;

  beforeAll(async () => {
    databases = await someDatabases();
    keys = await keyFolder('notifier');
  });
  afterAll(async () => {
    await keys?.[Symbol.asyncDispose]();
    await databases?.[Symbol.asyncDispose]();
  });
  return async (overrides: Parameters<typeof startNotifier>[0]['overrides'] = {}) =>
    startNotifier({ service: await notifierSchema(databases), keys, overrides });
}

const operatorId = '019aa1b2-0000-7000-8000-0000000000bb';
const operator: Caller = { kind: 'operator', operatorId, email: 'a@rubrica.example', role: 'reviewer' };

export function callAs(notifier: NotifierUnderTest, caller: Caller = operator) {
  return operatorsCalls(notifier, caller);
}

export async function receive(notifier: NotifierUnderTest, url: string, overrides = {}) {
  const id = await notifier.addEvent({ url, type: 'request.error', message: 'x', ...overrides });
  await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
  return id;
}

export async function settled(notifier: NotifierUnderTest, id: string) {
  await expect.poll(async () => (await notifier.delivery(id)).state).not.toBe('PENDING');
  return id;
}

export const broken: Receiver['answer'] = (response) => response.writeHead(500).end();
export const working: Receiver['answer'] = (response) => response.writeHead(200).end();
