import { createHash } from 'node:crypto';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { Database } from '@rubrica/database';
import { type EvidenceStore, EvidenceStoreError, type EvidenceStores } from '@rubrica/evidence-store';
import type { Clock } from '@rubrica/process';
import { rememberLocked } from '../lock/lock-sql.ts';
import { lockableUntil } from '../lock/plan-lock.ts';

export interface CopyDeps {
  readonly database: Pick<Database, 'statement'>;
  /** Where the copy goes. */
  readonly store: Pick<EvidenceStore, 'keep' | 'remove' | 'locks'>;
  readonly read: EvidenceStores['get'];
  readonly clock: Clock;
}

interface Original {
  /** Of the evidence. */
  readonly id: string;
  readonly content: Buffer;
  /** Of the retention of its request; null: not known yet. */
  readonly endsAt: Date | null;
}

/** What a row is to name from now on. */
export interface EvidenceCopy {
  readonly object: EvidenceEntry;
  /** What it was locked with in the store; undefined: nothing there is locked. */
  readonly lock: { readonly retainUntil: Date | null } | undefined;
}

/** Writes a copy and reads it back. No row names it yet. @throws EvidenceStoreError */
export async function copyTo(
  { store, read, clock }: CopyDeps,
  { id, content, endsAt }: Original,
): Promise<EvidenceCopy> {
  const isLocked = store.locks !== undefined && store.locks.mode !== 'none';
  const retainUntil = isLocked ? lockableUntil(endsAt, clock()) : null;
  const object = await store.keep(content, retainUntil ?? undefined);
  // What comes back is compared with what the row has, not with what the store says of itself.
  if (sha256Of(await read(object).bytes()) !== sha256Of(content))
    throw new EvidenceStoreError('corrupt', `evidence ${id} came back as something else`);
  return { object, lock: isLocked ? { retainUntil } : undefined };
}

/** Of a copy that no row came to name. */
export async function leaveCopy(
  { database, store }: CopyDeps,
  evidenceId: string,
  { object, lock }: EvidenceCopy,
): Promise<void> {
  const retainUntil = lock?.retainUntil ?? null;
  if (retainUntil === null) await store.remove(object);
  else await rememberLocked.run(database, { objectId: object.id, evidenceId, retainUntil });
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
