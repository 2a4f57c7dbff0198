import { setTimeout as delay } from 'node:timers/promises';
import type { EvidenceStoreName } from '@rubrica/contracts/services/schemas/evidence';
import type { Database } from '@rubrica/database';
import { EvidenceStoreError, type EvidenceStores } from '@rubrica/evidence-store';
import type { Clock } from '@rubrica/process';
import { copyTo, leaveCopy } from '../move/copy-evidence.ts';
import { nextStored, placeInOtherStore, type StoredRow } from './change-store-sql.ts';

/** Files that are copied at once. */
const filesAtOnce = 8;
/** Failures in a row after which a store counts as away. */
const mostFailures = 20;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** `left`: erased or changed while it was copied. */
export type ChangeOutcome = 'moved' | 'left' | 'failed';
/** `cut`: by the signal. `away`: by a store that does nothing any more. */
export type ChangeEnd = 'end' | 'cut' | 'away';

export interface ChangeDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly stores: Pick<EvidenceStores, 'named' | 'get'>;
  readonly clock: Clock;
  readonly onFile: (outcome: ChangeOutcome, bytes: number, fault?: { id: string; error: unknown }) => void;
}

export interface Change {
  readonly from: EvidenceStoreName;
  readonly to: EvidenceStoreName;
  readonly megabytesPerSecond: number;
}

type FoundRow = StoredRow & { readonly object: NonNullable<StoredRow['object']> };

/**
 * Copies what lies in one store into the other, in the order of ids: written, read back, compared, and then the row goes
 * over in one statement. It removes nothing: who read the row before still finds the former object, and the services'
 * sweep removes it when no row names it. What a crash left undone is done by the next run, and its copies are swept.
 */
export async function changeStore(deps: ChangeDeps, change: Change, signal: AbortSignal): Promise<ChangeEnd> {
  let lastId = beforeAll;
  let failures = 0;
  for (;;) {
    const rows = await nextStored.run(deps.database, { lastId, from: change.from });
    const last = rows.at(-1);
    if (last === undefined) return 'end';
    const found = rows.filter((row): row is FoundRow => row.object !== null);
    for (let next = 0; next < found.length; next += filesAtOnce) {
      if (signal.aborted) return 'cut';
      const some = found.slice(next, next + filesAtOnce);
      const sizes = await Promise.all(some.map((row) => changeOne(deps, change, row)));
      failures = sizes.every((size) => size === undefined) ? failures + sizes.length : 0;
      if (failures >= mostFailures) return 'away';
      const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
      await delay(bytes / (change.megabytesPerSecond * 1_000), undefined, { signal }).catch(() => undefined);
    }
    lastId = last.id;
  }
}

/** @returns bytes that were copied; undefined where that failed: the others go on, and the next run tries it again */
async function changeOne(
  { database, stores, clock, onFile }: ChangeDeps,
  { from, to }: Change,
  { id, object: former, endsAt }: FoundRow,
): Promise<number | undefined> {
  const copying = { database, store: stores.named(to), read: stores.get, clock };
  try {
    const content = await stores.named(from).get(former).bytes();
    const copy = await copyTo(copying, { id, content, endsAt: endsAt === null ? null : new Date(endsAt) });
    const isPlaced = await placeInOtherStore(database, { id, formerId: former.id, ...copy });
    if (!isPlaced) await leaveCopy(copying, id, copy);
    onFile(isPlaced ? 'moved' : 'left', content.length);
    return content.length;
  } catch (error) {
    if (!(error instanceof EvidenceStoreError)) throw error;
    onFile('failed', 0, { id, error });
    return undefined;
  }
}
