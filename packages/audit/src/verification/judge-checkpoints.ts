import { KeyringError } from '@rubrica/process/keyring';
import {
  type Checkpoint,
  type CheckpointVerifier,
  digestCheckpoint,
  readStoredCheckpoint,
} from '../chain/checkpoint.ts';
import type { AuditTable } from '../log/audit-table.ts';
import type { FindingKind, Findings } from './findings.ts';

export interface StoredCheckpoint {
  readonly place: string;
  readonly hash_hex: string;
  readonly at_seconds: string;
  readonly kid: string;
  readonly jws: string;
}

export interface CheckpointJudge {
  /** Checks the next checkpoint, in the order of positions. Returns the signed claims if the signature is valid. */
  take(stored: StoredCheckpoint): Checkpoint | undefined;
  /** Compares the signed claims with the row at their position, or its absence. */
  compare(signed: Checkpoint, row: { id: string; hash: string } | undefined, end: number): void;
}

/**
 * Creates a judge that checks stored checkpoints against their signatures, each other, and the rows that they cover.
 */
export function createCheckpointJudge(options: {
  readonly table: AuditTable;
  readonly keys: CheckpointVerifier;
  /** Last authentic checkpoint before the first one to check; undefined at the start. */
  readonly before: StoredCheckpoint | undefined;
  readonly findings: Findings;
}): CheckpointJudge {
  const { table, keys, findings } = options;
  let before = options.before?.jws;
  let lastGood = Number(options.before?.place ?? 0);

  const found = (kind: Extract<FindingKind, `checkpoint-${string}`>, at: string, text: string) =>
    findings.add({ kind, sequence: Number(at), id: null, text });
  const judgeColumns = (stored: StoredCheckpoint, signed: Checkpoint) => {
    const told = [stored.place, stored.hash_hex, stored.at_seconds, stored.kid].join(' ');
    const { sequence, hash, at, kid } = signed;
    if (told === [sequence, hash.toString('hex'), at.getTime() / 1_000, kid].join(' ')) return;
    const text = `place, hash, time or key id beside the signature are not those signed (place ${sequence}, key ${kid})`;
    found('checkpoint-altered', stored.place, text);
  };
  return {
    take(stored) {
      const signed = readStoredCheckpoint(keys, table.service, stored);
      // The next one names the last that this service has signed: a checkpoint that anyone may have added is skipped.
      if (signed instanceof Error) {
        const isWrongKey = signed instanceof KeyringError && signed.fault === 'wrong-use';
        found(isWrongKey ? 'checkpoint-wrong-key' : 'checkpoint-invalid', stored.place, signed.message);
        return undefined;
      }
      const known = before;
      before = stored.jws;
      judgeColumns(stored, signed);
      if (signed.previous !== (known === undefined ? undefined : digestCheckpoint(known))) {
        found('checkpoint-removed', stored.place, 'the checkpoint before this one is gone or another one');
      }
      return signed;
    },
    compare(signed, row, end) {
      const { sequence, hash } = signed;
      if (row?.hash === hash.toString('hex')) {
        lastGood = Math.max(lastGood, sequence);
        return;
      }
      if (row === undefined && sequence > end) {
        findings.addMissingTail({ end, signed: sequence, kid: signed.kid });
      } else if (row !== undefined && !findings.covers(sequence)) {
        const first = sequence > lastGood ? lastGood + 1 : sequence;
        const text = `row ${sequence} is not the one signed by key ${signed.kid}: rows from ${first} on were rewritten`;
        findings.add({ kind: 'rewritten', sequence: first, through: sequence, id: row.id, text });
      }
    },
  };
}
