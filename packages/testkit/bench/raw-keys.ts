import { generateKeyPair } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { median } from './statistics.ts';

const newKeyPair = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 });

/** Keys per second that this machine makes when it does nothing else, with as many at once as it has cores. */
export async function rawKeyRate(durationMs: number): Promise<number> {
  const startedAt = performance.now();
  let made = 0;
  let lastAt = startedAt;
  const make = async () => {
    while (performance.now() - startedAt < durationMs) {
      await newKeyPair();
      made += 1;
      lastAt = performance.now();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, make));
  return made / ((lastAt - startedAt) / 1_000);
}

/** Milliseconds that one RSA-2048 key takes with nothing else going on: the median, as the search is a lottery. */
export async function oneKeyMs(samples: number): Promise<number> {
  const durations: number[] = [];
  for (let index = 0; index < samples; index += 1) {
    const startedAt = performance.now();
    await newKeyPair();
    durations.push(performance.now() - startedAt);
  }
  return median(durations);
}
