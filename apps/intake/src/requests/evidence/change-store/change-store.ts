import { setTimeout as delay } from 'node:timers/promises';
import type { EvidenceStoreName } from '@rubrica/contracts/services/schemas/evidence';
import type { Database } from '@rubrica/database/connection';
import { EvidenceStoreError, type EvidenceStores } from '@rubrica/evidence-store';
import type { Clock } from '@rubrica/process/time';
import { discardCopy, writeCopy } from '../move/copy-evidence.ts';
import { nextStored, type StoredRow, switchToCopy } from './change-store-sql.ts';

/** Files that are copied at once. */
const filesAtOnce = 8;
/** Consecutive failures after which a store counts as unavailable. */
const maxFailures = 20;
const lowestId = '00000000-0000-0000-0000-000000000000';

/** `left`: erased or changed while it was copied. */
export type ChangeOutcome = 'moved' | 'left' | 'failed';
/** `cut`: ended by the signal. `away`: ended by an unavailable store. */
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
 * Copies the files of one store into the other, in the order of ids. Each file is written, read back and
 * compared, then its row is switched in one statement. It removes nothing: a reader of the earlier row still
 * finds the former object. The services' sweep removes it once no row names it. After a crash the next run
 * continues, and unused copies are swept.
 */
export async function changeStore(deps: ChangeDeps, change: Change, signal: AbortSignal): Promise<ChangeEnd> {
  let lastId = lowestId;
  let failures = 0;
  for (;;) {
    const rows = await nextStored.run(deps.database, { lastId, from: change.from });
    const last = rows.at(-1);
    if (last === undefined) return 'end';
    const found = rows.filter((row): row is FoundRow => row.object !== null);
    for (let next = 0; next < found.length; next += filesAtOnce) {
      if (signal.aborted) return 'cut';
      const batch = found.slice(next, next + filesAtOnce);
      const sizes = await Promise.all(batch.map((row) => changeFile(deps, change, row)));
      failures = sizes.every((size) => size === undefined) ? failures + sizes.length : 0;
      if (failures >= maxFailures) return 'away';
      const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
      await delay(bytes / (change.megabytesPerSecond * 1_000), undefined, { signal }).catch(() => undefined);
    }
    lastId = last.id;
  }
}

/**
 * @returns the bytes that were copied; undefined after a failure: the others go on, and the next run tries it
 *   again
 */
async function changeFile(
  { database, stores, clock, onFile }: ChangeDeps,
  { from, to }: Change,
  { id, object: former, endsAt }: FoundRow,
): Promise<number | undefined> {
  const copyDeps = { database, store: stores.named(to), read: stores.get, clock };
  try {
    const content = await stores.named(from).get(former).bytes();
    const copy = await writeCopy(copyDeps, {
      id,
      content,
      endsAt: endsAt === null ? null : new Date(endsAt),
    });
    const isPlaced = await switchToCopy(database, { id, formerId: former.id, ...copy });
    if (!isPlaced) await discardCopy(copyDeps, id, copy);
    onFile(isPlaced ? 'moved' : 'left', content.length);
    return content.length;
  } catch (error) {
    if (!(error instanceof EvidenceStoreError)) throw error;
    onFile('failed', 0, { id, error });
    return undefined;
  }
}
