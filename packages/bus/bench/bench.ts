import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testNats } from '@rubrica/testkit';
import { buildWays } from './build-ways.ts';
import { type Cpu, readCpu, usedBetween } from './cpu.ts';
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
  const pids = { caller: process.pid, server: server.pid ?? 0, natsServer: nats.pid() };
  try {
    return await compare(await ways.openWays(nats.url), () => readCpu(pids));
  } finally {
    await stop(server);
  }
}

interface Round {
  readonly calls: number;
  readonly perSecond: number;
  readonly cpu: Cpu;
}

/** Rounds alternate, so that whatever else the machine does falls on all ways alike. */
async function compare(calls: Record<string, Call>, used: () => Promise<Cpu>): Promise<number> {
  const names = Object.keys(calls);
  let passed = true;
  for (const inFlight of [1, 64]) {
    const taken = new Map(names.map((name) => [name, [] as Round[]]));
    // Long enough for the compiler: a service runs for weeks.
    for (const call of Object.values(calls)) await run(call, inFlight, warmMs);
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, call] of Object.entries(calls)) {
        const before = await used();
        const { made, perSecond } = await run(call, inFlight, roundMs);
        const cpu = usedBetween(before, await used());
        taken.get(name)?.push({ calls: made, perSecond, cpu });
      }
    }
    const ratio = report(inFlight, taken);
    if (inFlight === 64) passed = ratio >= bar;
  }
  process.stdout.write(`\nbar: at least ${bar} x at 64 in flight: ${passed ? 'met' : 'MISSED'}\n`);
  return passed ? 0 : 1;
}

/** `inFlight` callers, each calling again as soon as it is answered. */
async function run(
  call: Call,
  inFlight: number,
  forMs: number,
): Promise<{ made: number; perSecond: number }> {
  const expected = confirm(order).total;
  const end = performance.now() + forMs;
  let made = 0;
  const start = performance.now();
  const caller = async () => {
    while (performance.now() < end) {
      const { total } = await call();
      if (total !== expected) throw new Error(`wrong answer: ${total}`);
      made += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return { made, perSecond: (made * 1_000) / (performance.now() - start) };
}

/** Prints a line per way and returns the ratio that the bar is about: the median of the rounds' own ratios. */
function report(inFlight: number, taken: ReadonlyMap<string, readonly Round[]>): number {
  const base = taken.get(theirs) ?? [];
  const ratioOf = (name: string) =>
    median(
      (taken.get(name) ?? []).map(({ perSecond }, at) => perSecond / (base[at]?.perSecond ?? Number.NaN)),
    );
  const rounded = `median of ${rounds} alternating rounds of ${roundMs} ms`;
  process.stdout.write(`\n${inFlight} in flight (${rounded}; µs of processor time of a call)\n`);
  process.stdout.write(`${' '.repeat(76)}caller  server  nats-server    all\n`);
  for (const [name, list] of taken) {
    const perSecond = Math.round(median(list.map((one) => one.perSecond)));
    const rate = `${perSecond.toLocaleString('en').padStart(8)} calls/s   ${ratioOf(name).toFixed(2)} x`;
    process.stdout.write(`  ${name.padEnd(46)}${rate}   ${cpuColumns(list)}\n`);
  }
  return ratioOf(ours);
}

function cpuColumns(list: readonly Round[]): string {
  const calls = list.reduce((sum, one) => sum + one.calls, 0);
  const each = (of: keyof Cpu) => list.reduce((sum, { cpu }) => sum + cpu[of], 0) / calls;
  const [caller, server, natsServer] = [each('caller'), each('server'), each('natsServer')];
  const column = (value: number, width: number) => value.toFixed(1).padStart(width);
  return `${column(caller, 9)}${column(server, 8)}${column(natsServer, 13)}${column(caller + server + natsServer, 7)}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function stop(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}
