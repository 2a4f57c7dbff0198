import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { lease, leasesOn, statement } from '@rubrica/database';

export const moveLeases = leasesOn({ table: 'evidence_move', key: ['id'] });
/** A copy that died gives way to another after it. */
export const moveLeaseSeconds = 60;
/** Rows that are looked at under one lease. */
export const batchFiles = 20;

export interface TakenMove {
  readonly id: number;
  readonly fence: number;
  readonly lastId: string;
}

/** For one copy at a time. */
export const takeMove = statement<{ readonly leaseSeconds: number }, TakenMove>({
  name: 'take-evidence-move',
  sql: `update evidence_move set ${lease.take} where ${lease.isFree} returning id, fence, last_id as "lastId"`,
});

export const writeMove = statement<TakenMove, { readonly id: number }>({
  name: 'write-evidence-move',
  sql: `update evidence_move set last_id = :lastId, ${lease.end} where id = :id and fence = :fence returning id`,
});

export interface FileToMove {
  readonly id: string;
  /** Null: it lies in the store, or it is not its time. */
  readonly content: Buffer | null;
  /** Under `incoming/` in S3. Null: it lies in its row, or it is not its time. */
  readonly object: EvidenceEntry | null;
  /** Of its request's retention, as text; null: not known yet. */
  readonly endsAt: string | null;
}

interface NextParams {
  readonly lastId: string;
  readonly statuses: readonly Status[];
  readonly takesIncoming: boolean;
}

/** As `evidence_to_move`, the index, says it. */
export const isToMove = `(content is not null or (object ->> 'store' = 's3' and object ->> 'area' = 'incoming'))`;

/** A bounded number of rows by the index of those to move; nothing of a request whose time has not come. */
export const nextToMove = statement<NextParams, FileToMove>({
  name: 'next-evidence-to-move',
  sql: `
select evidence.id, case when is_due then content end as content,
  case when is_due and :takesIncoming::boolean and content is null then object end as object,
  evidence_due_at as "endsAt"
from evidence join request on request.id = evidence.request_id
cross join lateral (select status = any(:statuses::text[]) and evidence_key is not null as is_due) as due
where ${isToMove} and evidence.id > :lastId::uuid order by evidence.id limit ${batchFiles}`,
});

interface Placed {
  readonly id: string;
  readonly object: EvidenceEntry;
  readonly sha256: string;
  readonly statuses: readonly Status[];
  /** What it was locked with in the store; undefined: nothing there is locked. */
  readonly lock: { readonly retainUntil: Date | null } | undefined;
}

interface PlaceParams extends Omit<Placed, 'object' | 'lock'> {
  readonly object: string;
  readonly isLocked: boolean;
  readonly retainUntil: Date | null;
}

/**
 * One step: the row has either the bytes or the entry. Nothing where it was erased, moved or changed meanwhile. Its lock is
 * looked at once more: who changes the request in this moment does not see it yet.
 */
const place = statement<PlaceParams, { readonly id: string }>({
  name: 'place-moved-evidence',
  sql: `
with placed as (
update evidence set content = null, object = :object::jsonb from request
where evidence.id = :id::uuid and request.id = evidence.request_id and evidence_key is not null
  and status = any(:statuses::text[]) and object is null and sha256(content) = decode(:sha256::text, 'hex')
returning evidence.id
), locked as (
  insert into evidence_lock (object_id, evidence_id, retain_until, due_at)
  select :object::jsonb ->> 'id', id, :retainUntil::timestamptz, now() + interval '1 minute' from placed
  where :isLocked::boolean
)
select id from placed`,
});

/** @returns false where the row is no longer as it was read */
export async function placeMoved(
  target: Parameters<typeof place.run>[0],
  { object, lock, ...rest }: Placed,
): Promise<boolean> {
  const params = {
    ...rest,
    object: JSON.stringify(object),
    isLocked: lock !== undefined,
    retainUntil: lock?.retainUntil ?? null,
  };
  return (await place.run(target, params)).length > 0;
}
