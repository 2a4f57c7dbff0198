import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testNats } from '@rubrica/testkit';
import { buildWays } from './build-ways.ts';
import { type Call, type openWays, ours, theirs } from './ways.ts';
import { confirm, order } from './workload.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const roundMs = Number(process.env.BENCH_ROUND_MS ?? 500);
const warmMs = Number(process.env.BENCH_WARM_MS ?? 2_000);
const bar = 2;

process.exit(await main());

/** The exit code: 0 when the bar is met. */
async function main(): Promise<number> {
  await using built = await mkdtempDisposable(join(tmpdir(), 'rubrica-bench-'));
  await buildWays(built.path);
  const ways: { readonly openWays: typeof openWays } = await import(
    pathToFileURL(join(built.path, 'ways.mjs')).href
  );
  await using nats = await testNats();
  const server = fork(join(built.path, 'server.mjs'), [nats.url]);
  await once(server, 'message');
  try {
    return await compare(await ways.openWays(nats.url));
  } finally {
    await stop(server);
  }
}

/** Rounds alternate, so that whatever else the machine does falls on all ways alike. */
async function compare(calls: Record<string, Call>): Promise<number> {
  let passed = true;
  for (const inFlight of [1, 64]) {
    const rates = new Map(Object.keys(calls).map((name) => [name, [] as number[]]));
    // Long enough for the compiler: a service runs for weeks.
    for (const call of Object.values(calls)) await rate(call, inFlight, warmMs);
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, call] of Object.entries(calls)) {
        rates.get(name)?.push(await rate(call, inFlight, roundMs));
      }
    }
    const ratio = report(inFlight, rates);
    if (inFlight === 64) passed = ratio >= bar;
  }
  process.stdout.write(`\nbar: at least ${bar} x at 64 in flight: ${passed ? 'met' : 'MISSED'}\n`);
  return passed ? 0 : 1;
}

/** Calls per second with `inFlight` callers, each calling again as soon as it is answered. */
async function rate(call: Call, inFlight: number, forMs: number): Promise<number> {
  const expected = confirm(order).total;
  const end = performance.now() + forMs;
  let calls = 0;
  const start = performance.now();
  const caller = async () => {
    while (performance.now() < end) {
      const { total } = await call();
      if (total !== expected) throw new Error(`wrong answer: ${total}`);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return (calls * 1_000) / (performance.now() - start);
}

/** Prints a line per way and returns the ratio that the bar is about: the median of the rounds' own ratios. */
function report(inFlight: number, rates: Map<string, number[]>): number {
  const base = rates.get(theirs) ?? [];
  const ratioOf = (name: string) =>
    median((rates.get(name) ?? []).map((value, round) => value / (base[round] ?? Number.NaN)));
  const rounded = `median of ${rounds} alternating rounds of ${roundMs} ms`;
  process.stdout.write(`\n${inFlight} in flight (${rounded})\n`);
  for (const [name, values] of rates) {
    const perSecond = Math.round(median(values)).toLocaleString('en').padStart(8);
    process.stdout.write(`  ${name.padEnd(34)}${perSecond} calls/s   ${ratioOf(name).toFixed(2)} x\n`);
  }
  return ratioOf(ours);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function stop(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}
