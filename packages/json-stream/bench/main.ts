import { fork } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf, type Encoding, encodings, ways } from './documents.ts';
import type { Cost } from './take-apart.ts';

for (const encoding of encodings) await compare(encoding);

/** Measures speed and memory of both methods, each in its own process. */
async function compare(encoding: Encoding): Promise<void> {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'json-stream-'));
  const path = join(scratch.path, 'document.json');
  const document = documentOf(encoding);
  await writeFile(path, document);
  const costs: Cost[] = [];
  for (const way of ways) {
    const cost = (await run('take-apart.ts', [way, path])) as Cost;
    costs.push(cost);
    const time = `${cost.milliseconds.toFixed(0).padStart(5)} ms`;
    print(`${encoding.padEnd(9)} ${way.padEnd(31)} ${time}  peak ${megabytes(cost.peakBytes)}`);
  }
  const [ours, theirs] = costs as [Cost, Cost];
  const speed = theirs.milliseconds / ours.milliseconds;
  const memory = (ours.peakBytes - 20e6) / ours.decodedBytes;
  const sizes = `document ${megabytes(document.length)}, decoded ${megabytes(ours.decodedBytes)}`;
  print(`${sizes}: ${speed.toFixed(1)} × as fast; peak is 20 MB + ${memory.toFixed(2)} × decoded\n`);
}

/**
 * Runs a file in its own process.
 * @returns its last message
 */
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

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
