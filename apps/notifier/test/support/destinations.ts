import type { Caller } from '@rubrica/contracts/shared/caller';
import { expect } from 'vitest';
import { operatorsCalls } from './calls.ts';
import type { NotifierUnderTest } from './notifier.ts';
import type { Receiver } from './receiver.ts';

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
