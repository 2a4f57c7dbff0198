import { createHash } from 'node:crypto';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { Database } from '@rubrica/database/connection';
import { type EvidenceStore, EvidenceStoreError, type EvidenceStores } from '@rubrica/evidence-store';
import type { Clock } from '@rubrica/process/time';
import { rememberLocked } from '../lock/lock-sql.ts';
import { toLockDate } from '../lock/plan-lock.ts';

export interface CopyDeps {
  readonly database: Pick<Database, 'statement'>;
  /** Store to which the copy goes. */
  readonly store: Pick<EvidenceStore, 'keep' | 'remove' | 'locks'>;
  readonly read: EvidenceStores['get'];
  readonly clock: Clock;
}

interface Original {
  /** Id of the evidence. */
  readonly id: string;
  readonly content: Buffer;
  /** End of the retention of its request; null if it is not known yet. */
  readonly endsAt: Date | null;
}

/** Copy that a row is to name from now on. */
export interface EvidenceCopy {
  readonly object: EvidenceEntry;
  /** Lock that was set in the store; undefined if nothing there is locked. */
  readonly lock: { readonly retainUntil: Date | null } | undefined;
}

/** Writes a copy and reads it back. No row names it yet. @throws EvidenceStoreError */
export async function writeCopy(
  { store, read, clock }: CopyDeps,
  { id, content, endsAt }: Original,
): Promise<EvidenceCopy> {
  const isLocked = store.locks !== undefined && store.locks.mode !== 'none';
  const retainUntil = isLocked ? toLockDate(endsAt, clock()) : null;
  const object = await store.keep(content, retainUntil ?? undefined);
  // The bytes that come back are compared with those of the row, not with the store's own statement.
  if (computeSha256(await read(object).bytes()) !== computeSha256(content))
    throw new EvidenceStoreError('corrupt', `evidence ${id} came back as something else`);
  return { object, lock: isLocked ? { retainUntil } : undefined };
}

/** Removes a copy that no row came to name, or remembers it if it is locked. */
export async function discardCopy(
  { database, store }: CopyDeps,
  evidenceId: string,
  { object, lock }: EvidenceCopy,
): Promise<void> {
  const retainUntil = lock?.retainUntil ?? null;
  if (retainUntil === null) await store.remove(object);
  else await rememberLocked.run(database, { objectId: object.id, evidenceId, retainUntil });
}

export function computeSha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
