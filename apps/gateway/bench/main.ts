import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { scratchDirectory } from '@rubrica/testkit';
import { testGateway } from '../test/support/gateway.ts';
import { type Encoding, encodings, evidenceBody, ways } from './bodies.ts';
import type { Latencies } from './client.ts';
import type { Cost } from './take-apart.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

for (const encoding of encodings) await compare(encoding);
await besideOthers();

/** Speed and memory of both ways, each in a process of its own. */
async function compare(encoding: Encoding): Promise<void> {
  await using scratch = await scratchDirectory('bench');
  const path = join(scratch.path, 'body.json');
  const body = evidenceBody(encoding, { referenceTransaction: 'TX-1' });
  await writeFile(path, body);
  const costs: Cost[] = [];
  for (const way of ways) {
    const cost = (await run('take-apart.ts', [way, path])) as Cost;
    costs.push(cost);
    say(
      `${encoding.padEnd(9)} ${way.padEnd(31)} ${cost.milliseconds.toFixed(0).padStart(5)} ms  peak ${megabytes(cost.peakBytes)}`,
    );
  }
  const [ours, theirs] = costs as [Cost, Cost];
  const speed = theirs.milliseconds / ours.milliseconds;
  const memory = (ours.peakBytes - 20e6) / ours.decodedBytes;
  say(
    `${''.padEnd(9)} body ${megabytes(body.length)}, decoded ${megabytes(ours.decodedBytes)}: ${speed.toFixed(1)} × as fast; peak is 20 MB + ${memory.toFixed(2)} × decoded\n`,
  );
}

/** What ten bodies at once do to everybody else. */
async function besideOthers(): Promise<void> {
  await using gateway = await testGateway();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const token = await gateway.token();
  const input = JSON.stringify({ url: gateway.url, token });
  const { quiet, loaded, statuses } = (await run('client.ts', [input], () => delay.enable())) as Latencies;
  delay.disable();
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  say(`ten bodies of 60 MB at once: ${statuses.join(' ')}`);
  say(`  event loop     p99 ${ms(delay.percentile(99) / 1e6)}, longest ${ms(delay.max / 1e6)}`);
  say(`  other calls    p99 ${ms(quiet)} quiet, ${ms(loaded)} beside them: ${(loaded / quiet).toFixed(1)} ×`);
}

/** Runs a file in a process of its own. @returns its last message */
function run(file: string, args: readonly string[], onNote?: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let result: unknown;
    const child = fork(join(import.meta.dirname, file), args);
    child.on('message', (message) => {
      if (typeof message === 'string') onNote?.();
      else result = message;
    });
    child.once('exit', (code) =>
      code === 0 && result !== undefined ? resolve(result) : reject(new Error(`${file} ended with ${code}`)),
    );
  });
}
