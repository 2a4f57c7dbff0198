import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parts, type Snapshot } from './snapshot.ts';

const folder = join(import.meta.dirname, '../../snapshots');
const version = /^\d+\.\d+\.\d+$/;
/** Compressed, because only the check reads it and it has some 40,000 lines. `zcat` shows it. */
const ending = '.json.gz';

/** Finds the version of the last release that has a snapshot. */
export function newestVersion(): string | undefined {
  return readdirSync(folder)
    .map((name) => name.slice(0, -ending.length))
    .filter((name) => version.test(name))
    .toSorted(compareVersions)
    .at(-1);
}

/**
 * Compares versions.
 * @returns less than 0 if `a` is older
 */
export function compareVersions(a: string, b: string): number {
  const [own, other] = [a, b].map((one) => one.split('.').map(Number));
  const place = own?.findIndex((number, index) => number !== other?.[index]) ?? -1;
  return place === -1 ? 0 : (own?.[place] ?? 0) - (other?.[place] ?? 0);
}

export function readSnapshot(name: string): Snapshot {
  const text = gunzipSync(readFileSync(join(folder, name + ending))).toString('utf8');
  return JSON.parse(text) as Snapshot;
}

/**
 * Writes the snapshot of a release.
 * @returns its path
 * @throws Error if `name` is not a version, or already has a snapshot: a release does not change
 */
export function writeSnapshot(name: string, snapshot: Snapshot): string {
  const target = join(folder, name + ending);
  if (!version.test(name)) throw new Error(`"${name}" is no version such as 0.2.0`);
  if (existsSync(target)) throw new Error(`${target} is there already: what was released does not change`);
  const whole = Object.fromEntries(parts.map((part) => [part, snapshot[part]]));
  writeFileSync(target, gzipSync(`${JSON.stringify(whole, undefined, 2)}\n`, { level: 9 }));
  return target;
}
