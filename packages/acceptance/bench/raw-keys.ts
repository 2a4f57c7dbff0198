import { generateKeyPair, pbkdf2Sync } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { mean, median } from './statistics.ts';

const newKeyPair = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 });

/** Measures the keys per second of this otherwise idle machine, with one thread per core. */
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

export interface KeyTime {
  readonly medianMs: number;
  readonly meanMs: number;
}

/**
 * Measures the time of one RSA-2048 key on an otherwise idle machine. The time of one search for primes is random, so
 * it takes many samples.
 */
export async function oneKeyTime(samples: number): Promise<KeyTime> {
  const durations: number[] = [];
  for (let index = 0; index < samples; index += 1) {
    const startedAt = performance.now();
    await newKeyPair();
    durations.push(performance.now() - startedAt);
  }
  return { medianMs: median(durations), meanMs: mean(durations) };
}

/**
 * Measures the CPU milliseconds of a fixed computation, PBKDF2 with 100,000 rounds of SHA-256. CPU times of requests
 * are compared with it, because its duration is constant, unlike a search for primes.
 */
export function fixedCpuMs(): number {
  const samples = Array.from({ length: 15 }, () => {
    const before = process.cpuUsage();
    pbkdf2Sync('password', 'salt', 100_000, 32, 'sha256');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return median(samples);
}
