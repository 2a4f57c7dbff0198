import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv } from 'node:process';
import { scratchDirectory } from '@rubrica/testkit';
import { besideOthers } from './beside-others.ts';
import { type Encoding, encodings, evidenceBody, ways } from './bodies.ts';
import type { Cost } from './take-apart.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

const [only] = argv.slice(2);
if (only !== 'others') for (const encoding of encodings) await compare(encoding);
if (only !== 'speed') await besideOthers();

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

/** Runs a file in a process of its own. @returns its last message */
function run(file: string, args: readonly string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let result: unknown;
    const child = fork(join(import.meta.dirname, file), args);
    child.on('message', (message) => {
      result = message;
    });
    child.once('exit', (code) =>
      code === 0 && result !== undefined ? resolve(result) : reject(new Error(`${file} ended with ${code}`)),
    );
  });
}
