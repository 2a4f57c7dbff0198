import { join } from 'node:path';
import { compareSnapshots } from './compare-snapshots.ts';
import { rolloutOrder } from './rollout-order.ts';
import { newestVersion, readSnapshot } from './snapshot/stored.ts';
import { takeSnapshot } from './snapshot/take-snapshot.ts';
import { judgeFindings, readWaivers } from './waivers.ts';

/** Root folder of this checkout. */
export const projectRoot = join(import.meta.dirname, '../../..');

/** Compares the current tree with the last release that has a snapshot. */
export async function checkTree(today = new Date().toISOString().slice(0, 10)) {
  const version = newestVersion();
  if (version === undefined) throw new Error('no release has a snapshot');
  const [before, after] = [readSnapshot(version), await takeSnapshot(projectRoot)];
  const findings = compareSnapshots(before, after);
  return {
    version,
    order: rolloutOrder(before, after),
    ...judgeFindings(findings, readWaivers(), today),
  };
}
