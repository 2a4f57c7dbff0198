import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from './attacker.ts';
import type { Where } from './gateway.ts';
import { p99, startPart } from './parts.ts';

const sockets = 300;
const lookMs = 8_000;
const form = 'content-type: application/x-www-form-urlencoded';
const json = 'content-type: application/json';

interface Door {
  readonly path: string;
  readonly type: string;
  readonly sentBytes: number;
  readonly withToken?: true;
}

const registration = '/collector/linked-partner/request';
const doors: readonly Door[] = [
  { path: '/oauth/token', type: form, sentBytes: 15_000 },
  { path: '/trpc/auth.signIn', type: json, sentBytes: 15_000 },
  { path: '/trpc/partners.update', type: json, sentBytes: 900_000 },
  { path: `/claim/${'A'.repeat(43)}`, type: form, sentBytes: 15_000 },
  { path: '/pki/ocsp', type: 'content-type: application/ocsp-request', sentBytes: 15_000 },
  { path: registration, type: json, sentBytes: 200_000 },
  { path: registration, type: json, sentBytes: 200_000, withToken: true },
];

/** What 300 slow sockets of one address do to the calls of everybody else, door by door. */
export async function slowSockets(): Promise<void> {
  await using gateway = startPart('gateway.ts');
  const where = await gateway.ask<Where>('where');
  const text = JSON.stringify(where);
  await using probe = startPart('probe.ts', [text]);
  await using attacker = startPart('attacker.ts', [text]);
  await probe.ask('warm-up');
  await delay(lookMs / 2);
  const look = async () => {
    await probe.ask('times');
    await probe.ask('refusals');
    await delay(lookMs);
    return `p99 ${p99(await probe.ask<number[]>('times')).toFixed(1)} ms, refused ${await probe.ask<number>('refusals')}`;
  };
  say(`calls of others, quiet: ${await look()}`);
  for (const door of doors) {
    await attacker.ask(attackOn(door, where.token));
    const seen = await look();
    say(`${sockets} slow sockets at ${door.path}${door.withToken ? ' with a token' : ''}: ${seen}`);
    await attacker.ask(null);
  }
}

function attackOn({ path, type, sentBytes, withToken }: Door, token: string): Attack {
  const length = `content-length: ${sentBytes + 1_000}`;
  const headers = [type, length, ...(withToken ? [`authorization: Bearer ${token}`] : [])];
  return { sockets, path, headers, sent: `{"city":"${'x'.repeat(sentBytes - 9)}` };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
