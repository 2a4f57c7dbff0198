import type { EntityManager } from '@mikro-orm/postgresql';
import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { runnerOf } from '@rubrica/database';
import { evidenceRows } from '../request/evidence/evidence-rows.ts';
import type { DependentInsert } from '../request/one-statement.ts';

export interface StoredAttachment {
  readonly field: string;
  readonly mediaType: string | null;
  readonly position: number;
}

export function findAttachments(em: EntityManager, requestId: string): Promise<StoredAttachment[]> {
  return runnerOf(em).execute<StoredAttachment>(
    `select field, media_type as "mediaType", position from evidence
     where request_id = $1 and field is not null order by position`,
    [requestId],
  );
}

interface Replacement {
  readonly requestId: string;
  readonly stored: readonly StoredAttachment[];
  readonly bundle: intakeContract.EvidenceBundle;
}

/**
 * Takes out the attachments that were sent anew and gives the rows of the new ones, each with the key of its own call;
 * the others stay as they are. What lies in the object store without a row goes with the sweep.
 */
export async function replaceAttachments(
  em: EntityManager,
  { requestId, stored, bundle }: Replacement,
): Promise<DependentInsert> {
  const fields = bundle.items.map(({ field }) => field);
  await runnerOf(em).execute('delete from evidence where request_id = $1 and field = any($2)', [
    requestId,
    fields,
  ]);
  const places = new Map(stored.map(({ field, position }) => [field, position]));
  const next = Math.max(-1, ...places.values()) + 1;
  const rows = evidenceRows(requestId, bundle).map((row, index) => ({
    ...row,
    position: places.get(String(row.field)) ?? next + index,
    key: bundle.key,
  }));
  return { table: 'evidence', rows };
}
