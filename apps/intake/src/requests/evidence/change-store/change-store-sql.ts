import type { EvidenceEntry, EvidenceStoreName } from '@rubrica/contracts/services/schemas/evidence';
import { statement } from '@rubrica/database/statement';
import type { EvidenceCopy } from '../move/copy-evidence.ts';

/** Rows that one statement reads. */
const pageRows = 500;

const storeSql = "coalesce(object ->> 'store', 'nats')";

export interface StoredRow {
  readonly id: string;
  /** Null if it lies elsewhere, or was erased. */
  readonly object: EvidenceEntry | null;
  /** End of its request's retention, as text; null if it is not known yet. */
  readonly endsAt: string | null;
}

/** Reads a bounded number of rows in the order of ids, including those that lie elsewhere. */
export const nextStored = statement<{ readonly lastId: string; readonly from: EvidenceStoreName }, StoredRow>(
  {
    name: 'next-evidence-of-store',
    sql: `
select evidence.id, case when ${storeSql} = :from and evidence_key is not null then object end as object,
  evidence_due_at as "endsAt"
from evidence join request on request.id = evidence.request_id
where object is not null and evidence.id > :lastId::uuid order by evidence.id limit ${pageRows}`,
  },
);

interface ReplaceParams {
  readonly id: string;
  readonly formerId: string;
  readonly object: string;
  readonly isLocked: boolean;
  readonly retainUntil: Date | null;
}

/**
 * Makes all rows that name the former object name the copy, including those of a renewal. It changes nothing
 * if no row names the object any more. The lock of the former object is checked again.
 */
const replaceObject = statement<ReplaceParams, { readonly id: string }>({
  name: 'place-evidence-of-other-store',
  sql: `
with placed as (
  update evidence set object = :object::jsonb from request
  where request.id = evidence.request_id and evidence_key is not null
    and object is not null and object ->> 'id' = :formerId::text
  returning evidence.id
), locked as (
  insert into evidence_lock (object_id, evidence_id, retain_until, due_at)
  select :object::jsonb ->> 'id', :id::uuid, :retainUntil::timestamptz, now() + interval '1 minute'
  where :isLocked::boolean and exists (select from placed)
), former as (
  update evidence_lock set due_at = now(), asked = asked + 1
  where object_id = :formerId::text and exists (select from placed)
)
select id from placed`,
});

/** @returns false if the row is no longer as it was read */
export async function switchToCopy(
  target: Parameters<typeof replaceObject.run>[0],
  { object, lock, ...rest }: EvidenceCopy & Pick<ReplaceParams, 'id' | 'formerId'>,
): Promise<boolean> {
  const params = {
    ...rest,
    object: JSON.stringify(object),
    isLocked: lock !== undefined,
    retainUntil: lock?.retainUntil ?? null,
  };
  return (await replaceObject.run(target, params)).length > 0;
}

export interface StoreCount {
  /** Rows that name an object there and can be opened. */
  readonly files: number;
  /** Objects that they name: a renewal names those of its former request. */
  readonly objects: number;
  readonly bytes: number;
}

export const countStored = statement<{ readonly store: EvidenceStoreName }, StoreCount>({
  name: 'count-evidence-of-store',
  sql: `
select count(*)::float8 as files, count(distinct object ->> 'id')::float8 as objects,
  coalesce(sum((object ->> 'sizeBytes')::bigint), 0)::float8 as bytes
from evidence join request on request.id = evidence.request_id
where object is not null and ${storeSql} = :store and evidence_key is not null`,
});

/** Counts which of these objects are named by a row that can be opened. */
export const countNamed = statement<
  { readonly store: EvidenceStoreName; readonly ids: readonly string[] },
  { readonly objects: number }
>({
  name: 'count-named-evidence-objects',
  sql: `
select count(distinct object ->> 'id')::float8 as objects
from evidence join request on request.id = evidence.request_id
where object is not null and object ->> 'id' = any(:ids::text[]) and ${storeSql} = :store and evidence_key is not null`,
});
