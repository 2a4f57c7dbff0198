import type { EntryGuard } from '@rubrica/database/entries';
import type { DatabaseLogger } from '@rubrica/database/logger';
import type { AuditTable } from '../log/audit-table.ts';
import type { CheckpointSigner, CheckpointVerifier } from './checkpoint.ts';

export interface ChainerMetrics {
  /** Records whether this copy holds the lock. */
  active(isActive: boolean): void;
  placed(event: { sequence: number }): void;
  checkpoint(event: { sequence: number }): void;
  /** Records that stored rows differ from the chained ones: nothing is chained until the table is repaired. */
  broken(isBroken: boolean): void;
}

export interface ChainerOptions {
  /** URL straight to PostgreSQL or through a pooler in session mode: the lock belongs to a session. */
  readonly databaseUrl: string;
  readonly schema: string;
  readonly table: AuditTable;
  readonly keys: CheckpointSigner & CheckpointVerifier;
  /** Undefined: the MACs of entries are not checked, and the first entry has none. */
  readonly entries?: EntryGuard;
  /** Raises the alarm for an entry or a checkpoint that this service did not write; it is skipped. */
  readonly onNotAuthentic?: (row: { readonly table: string; readonly id: string }) => void;
  readonly clock: () => Date;
  readonly logger: DatabaseLogger;
  readonly metrics?: ChainerMetrics;
  readonly tuning?: Partial<ChainerTuning>;
}

export interface ChainerTuning {
  /** Interval at which the chainer looks for rows, and an idle copy tries for the lock. */
  readonly pollMs: number;
  readonly batchRows: number;
  /** Rows after which a checkpoint is due. */
  readonly checkpointRows: number;
  /** Time after which a checkpoint is due, if the chain has grown. */
  readonly checkpointSeconds: number;
  /** Pause before a broken chain is verified again. */
  readonly brokenPauseMs: number;
  /** Time without an active chainer after which `hasOwner` is false. */
  readonly ownerMissingAfterMs: number;
}

export const defaultTuning: ChainerTuning = {
  pollMs: 1_000,
  batchRows: 500,
  checkpointRows: 1_000,
  // Ten seconds less than the promised minute, because a row waits for its position first.
  checkpointSeconds: 50,
  brokenPauseMs: 60_000,
  ownerMissingAfterMs: 30_000,
};
