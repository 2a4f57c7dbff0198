import type { DatabaseLogger } from '../logger.ts';
import type { AuditTable } from './audit-table.ts';
import type { CheckpointSigner, CheckpointVerifier } from './checkpoint.ts';
import type { EntryGuard } from './entry-guard.ts';

export interface ChainerMetrics {
  /** This copy holds the lock, or no longer does. */
  active(isActive: boolean): void;
  placed(event: { sequence: number }): void;
  checkpoint(event: { sequence: number }): void;
  /** What is stored is not what was placed: nothing is chained until the table is put right. */
  broken(isBroken: boolean): void;
}

export interface ChainerOptions {
  /** Straight to PostgreSQL or through a pooler in session mode: the lock belongs to a session. */
  readonly databaseUrl: string;
  readonly schema: string;
  readonly table: AuditTable;
  readonly keys: CheckpointSigner & CheckpointVerifier;
  /** Undefined: entries are not checked for their MACs, and the first one has none. */
  readonly entries?: EntryGuard;
  /** Alarm for an entry or a checkpoint that this service did not write; it is passed over. */
  readonly onNotAuthentic?: (row: { readonly table: string; readonly id: string }) => void;
  readonly clock: () => Date;
  readonly logger: DatabaseLogger;
  readonly metrics?: ChainerMetrics;
  readonly tuning?: Partial<ChainerTuning>;
}

export interface ChainerTuning {
  /** How often to look for rows, and how often an idle copy tries for the lock. */
  readonly pollMs: number;
  readonly batchRows: number;
  /** A checkpoint is due after this many rows, */
  readonly checkpointRows: number;
  /** or after this time, if the chain has grown. */
  readonly checkpointSeconds: number;
  /** Pause before a broken chain is looked at again. */
  readonly brokenPauseMs: number;
  /** Without an active chainer for so long, `hasOwner` says so. */
  readonly ownerMissingAfterMs: number;
}

export const defaultTuning: ChainerTuning = {
  pollMs: 1_000,
  batchRows: 500,
  checkpointRows: 1_000,
  // Ten seconds less than the minute that is promised: a row waits for its place first.
  checkpointSeconds: 50,
  brokenPauseMs: 60_000,
  ownerMissingAfterMs: 30_000,
};
