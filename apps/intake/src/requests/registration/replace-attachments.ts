import type { EntityManager } from '@mikro-orm/postgresql';
import type * as evidenceContract from '@rubrica/contracts/services/schemas/evidence';
import { toEvidenceRows } from '../evidence/evidence-rows.ts';
import type { DependentInsert } from '../request/one-statement.ts';
import { type EvidenceOutline, outlineNames, toOutline } from '../request/registered/evidence-outline.ts';
import { EvidenceEntity } from '../request/request.entity.ts';

export type StoredAttachment = EvidenceOutline & { readonly field: string };

export async function findAttachments(em: EntityManager, requestId: string): Promise<StoredAttachment[]> {
  const stored = await em.find(
    EvidenceEntity,
    { requestId, field: { $ne: null } },
    { fields: outlineNames, orderBy: { position: 'asc' }, disableIdentityMap: true },
  );
  return stored.flatMap(({ field, ...outline }) => (field === null ? [] : [{ ...outline, field }]));
}

interface Replacement {
  readonly requestId: string;
  readonly stored: readonly StoredAttachment[];
  readonly bundle: evidenceContract.EvidenceBundle;
}

interface ReplaceResult {
  readonly insert: DependentInsert;
  /** All attachments of the request afterwards. */
  readonly outlines: readonly EvidenceOutline[];
}

/**
 * Deletes the attachments that were sent anew and returns the rows of the new ones, each with the key of its
 * own call. The others stay as they are. The sweep removes objects of the store that have no row.
 */
export async function replaceAttachments(
  em: EntityManager,
  { requestId, stored, bundle }: Replacement,
): Promise<ReplaceResult> {
  const fields = bundle.items.flatMap(({ field }) => field ?? []);
  await em.nativeDelete(EvidenceEntity, { requestId, field: { $in: fields } });
  const positions = new Map(stored.map(({ field, position }) => [field, position]));
  const next = Math.max(-1, ...positions.values()) + 1;
  const rows = toEvidenceRows(requestId, bundle).map((row, index) => ({
    ...row,
    position: positions.get(String(row.field)) ?? next + index,
    key: bundle.key,
  }));
  const remaining = stored.filter(({ field }) => !fields.includes(field));
  return { insert: { table: 'evidence', rows }, outlines: [...remaining, ...rows.map(toOutline)] };
}
