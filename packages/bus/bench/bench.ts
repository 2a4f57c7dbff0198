import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testNats } from '@rubrica/testkit';
import { connect } from 'nats';
import { connectBus, createBusClient } from '../src/index.ts';
import { type BenchRouter, callHeaders, confirm, order, ourPrefix, plainSubject } from './workload.ts';

type Call = () => Promise<{ total: number }>;

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const roundMs = Number(process.env.BENCH_ROUND_MS ?? 800);
const bar = 2;

await using nats = await testNats();
const server = fork(join(import.meta.dirname, 'server.ts'), [nats.url], {
  execArgv: process.env.BENCH_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : [],
});
await once(server, 'message');
try {
  process.exitCode = await compare(await ways(nats.url));
} finally {
  await stop(server);
}
process.exit();

async function ways(servers: string): Promise<Record<string, Call>> {
  const bus = await connectBus({ servers, name: 'bench-client' });
  const client = createBusClient<BenchRouter>(bus, {
    subjectPrefix: ourPrefix,
    timeoutMs: 10_000,
    headers: () => callHeaders,
  });
  const plain = await connect({ servers });
  const untraced = await connect({ servers, noAsyncTraces: true });
  const request = (connection: typeof plain): Call => {
    return async () => {
      const answer = await connection.request(plainSubject, JSON.stringify(order), { timeout: 10_000 });
      return answer.json<{ total: number }>();
    };
  };
  return {
    'tRPC over the bus': () => client.orders.confirm.query(order),
    'nc.request() with JSON': request(plain),
    'the same, noAsyncTraces': request(untraced),
  };
}

/** Rounds alternate, so that whatever else the machine does falls on all ways alike. */
async function compare(calls: Record<string, Call>): Promise<number> {
  let passed = true;
  for (const inFlight of [1, 64]) {
    const rates = new Map(Object.keys(calls).map((name) => [name, [] as number[]]));
    for (const call of Object.values(calls)) await rate(call, inFlight, roundMs / 2);
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, call] of Object.entries(calls)) {
        rates.get(name)?.push(await rate(call, inFlight, roundMs));
      }
    }
    const [ours = 0, plain = 1] = report(inFlight, rates);
    if (inFlight === 64) passed = ours / plain >= bar;
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

function report(inFlight: number, rates: Map<string, number[]>): number[] {
  const medians = [...rates].map(([name, values]) => [name, median(values)] as const);
  const plain = medians[1]?.[1] ?? 1;
  process.stdout.write(`\n${inFlight} in flight (median of ${rounds} alternating rounds of ${roundMs} ms)\n`);
  for (const [name, value] of medians) {
    const perSecond = Math.round(value).toLocaleString('en').padStart(8);
    process.stdout.write(`  ${name.padEnd(26)}${perSecond} calls/s   ${(value / plain).toFixed(2)} x\n`);
  }
  return medians.map(([, value]) => value);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function stop(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}
