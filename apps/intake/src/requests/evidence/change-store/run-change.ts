import { type Change, type ChangeDeps, type ChangeOutcome, changeStore } from './change-store.ts';
import { countStored } from './change-store-sql.ts';
import { compareStore, formatComparison } from './compare-store.ts';

const reportEveryMs = 2_000;
/** Maximum number of faults that are reported singly. */
const maxReported = 20;

type RunDeps = Omit<ChangeDeps, 'onFile'> & { readonly say: (text: string) => void };

/** Moves evidence with a progress line at intervals, and compares at the end. @returns exit code */
export async function runChange(deps: RunDeps, change: Change, signal: AbortSignal): Promise<0 | 1 | 130> {
  const { database, stores, say } = deps;
  const { from, to } = change;
  const count = async () => (await countStored.run(database, { store: from }))[0]?.files ?? 0;
  const total = await count();
  const done: Record<ChangeOutcome, number> = { moved: 0, left: 0, failed: 0 };
  let bytes = 0;
  const line = () =>
    `${done.moved} of ${total} files moved from ${from} to ${to}, ${Math.round(bytes / 1e6)} MB; ${done.failed} failed\n`;
  const onFile: ChangeDeps['onFile'] = (outcome, size, fault) => {
    done[outcome] += 1;
    bytes += size;
    if (fault !== undefined && done.failed <= maxReported)
      say(`evidence ${fault.id}: ${String(fault.error)}\n`);
  };
  const reportTimer = setInterval(() => say(line()), reportEveryMs);
  const end = await changeStore({ ...deps, onFile }, change, signal).finally(() =>
    clearInterval(reportTimer),
  );
  say(line());
  if (end === 'cut') {
    say('interrupted: begin again to go on with what is left\n');
    return 130;
  }
  if (end === 'away') say('a store does nothing any more: begin again when it is back\n');
  const left = await count();
  const comparison = await compareStore(database, stores.named(to));
  say(`${left} files are left in ${from}\n`);
  say(formatComparison(comparison, to));
  return left === 0 && comparison.missing === 0 ? 0 : 1;
}
