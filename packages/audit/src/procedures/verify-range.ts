import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { Database } from '@rubrica/database/connection';
import { type AppError, invalidField } from '@rubrica/process/errors';
import { type CheckpointVerifier, KeyringError } from '@rubrica/process/keyring';
import type { AuditTable } from '../log/audit-table.ts';
import { verifyAudit } from '../verification/verify-audit.ts';

interface Stretch {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly checkpoint?: string | undefined;
}

/**
 * Verifies a part of the service's audit chain, in the form of the operators' procedure.
 * @throws AppError FIELD_INVALID for a checkpoint that this service has not signed
 */
export async function verifyRange(
  {
    database,
    keyring,
    table,
  }: {
    database: Pick<Database, 'execute' | 'entries'>;
    keyring: CheckpointVerifier;
    table: AuditTable;
  },
  { cursor, limit, checkpoint }: Stretch,
) {
  const request = {
    from: Math.max(1, Number(cursor ?? 1)),
    maxRows: limit,
    ...(checkpoint === undefined ? {} : { checkpoints: [checkpoint] }),
  };
  const deps = { sql: database, table, keys: keyring, entries: database.entries };
  const {
    next,
    findings,
    macs: _,
    ...looked
  } = await verifyAudit(deps, request).catch((error: unknown) => {
    throw error instanceof KeyringError || error instanceof TypeError ? foreignCheckpoint(error) : error;
  });
  const nextCursor = next === null ? null : String(next);
  return { ...looked, intact: findings.length === 0, findings: [...findings], nextCursor };
}

function foreignCheckpoint(cause: Error): AppError {
  return invalidField('checkpoint', createFieldText('checkpoint', createText('field.foreignCheckpoint')), {
    cause,
  });
}
