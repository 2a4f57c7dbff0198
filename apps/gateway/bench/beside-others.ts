import { setTimeout as delay } from 'node:timers/promises';
import type { Strain, Where } from './gateway.ts';
import { type Part, p99, startPart } from './parts.ts';
import type { Order } from './sender.ts';

function say(text: string) {
  return process.stdout.write(`${text}\n`);
}

function ms(value: number) {
  return `${value.toFixed(1)} ms`;
}

const rounds = 3;
const quietMs = 3_000;
const line = { name: 'over a line of 1 Gbit/s', bytesPerSecond: 125e6 };
const loopback = { name: 'as fast as loopback is', bytesPerSecond: 1e12 };

interface Parts {
  readonly gateway: Part;
  readonly probe: Part;
  readonly sender: Part;
}

/** What bodies of 60 MB do to everybody else, quiet and loaded in turns, for other work on the machine counts too. */
export async function besideOthers(): Promise<void> {
  await using gateway = startPart('gateway.ts');
  const where = JSON.stringify(await gateway.ask<Where>('where'));
  await using probe = startPart('probe.ts', [where]);
  await using sender = startPart('sender.ts', [where]);
  const parts = { gateway, probe, sender };
  await probe.ask('warm-up');
  await delay(quietMs);
  await gateway.ask('strain');
  await sender.ask({ bodies: 1, bytesPerSecond: loopback.bytesPerSecond } satisfies Order);
  const { peakBytes } = await gateway.ask<Strain>('strain');
  say(`one body of 60 MB into the object store: peak ${(peakBytes / 1e6).toFixed(0)} MB more than idle`);
  for (const pace of [line, loopback]) await compare(parts, pace);
}

async function compare({ gateway, probe, sender }: Parts, { name, bytesPerSecond }: typeof line) {
  const quiet: number[] = [];
  const loaded: number[] = [];
  const strains: Strain[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await probe.ask('forget');
    await delay(quietMs);
    quiet.push(...(await probe.ask<number[]>('times')));
    await gateway.ask('strain');
    const statuses = await sender.ask<number[]>({ bodies: 10, bytesPerSecond } satisfies Order);
    loaded.push(...(await probe.ask<number[]>('times')));
    strains.push(await gateway.ask<Strain>('strain'));
    if (statuses.some((status) => status !== 200)) say(`  not all were taken: ${statuses.join(' ')}`);
  }
  const [before, beside] = [p99(quiet), p99(loaded)];
  const loop = Math.max(...strains.map(({ loopP99Ms }) => loopP99Ms));
  say(`ten bodies of 60 MB at once, ${name}:`);
  say(`  event loop     p99 ${ms(loop)}, longest ${ms(Math.max(...strains.map((one) => one.loopMaxMs)))}`);
  say(
    `  other calls    p99 ${ms(before)} quiet, ${ms(beside)} beside them: ${(beside / before).toFixed(1)} ×`,
  );
  say(
    `  memory         peak ${(Math.max(...strains.map((one) => one.peakBytes)) / 1e6).toFixed(0)} MB more than idle`,
  );
}
