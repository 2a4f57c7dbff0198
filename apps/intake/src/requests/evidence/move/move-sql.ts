import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { createLeases, lease } from '@rubrica/database/lease';
import { statement } from '@rubrica/database/statement';

export const moveLeases = createLeases({ table: 'evidence_move', key: ['id'] });
/** Lease of a batch; after it another copy takes over from one that died. */
export const moveLeaseSeconds = 60;
/** Rows that are processed under one lease. */
export const batchFiles = 20;

export interface TakenMove {
  readonly id: number;
  readonly fence: number;
  readonly lastId: string;
}

/** Takes the lease, for one copy at a time. */
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
  /** Null if it lies in the store, or is not due. */
  readonly content: Buffer | null;
  /** Object under `incoming/` in S3; null if it lies in its row, or is not due. */
  readonly object: EvidenceEntry | null;
  /** End of its request's retention, as text; null if it is not known yet. */
  readonly endsAt: string | null;
}

interface NextParams {
  readonly lastId: string;
  readonly statuses: readonly Status[];
  readonly takesIncoming: boolean;
}

/** SQL condition of the index `evidence_to_move`, in the same words. */
export const isToMove = `(content is not null or (object ->> 'store' = 's3' and object ->> 'area' = 'incoming'))`;

/**
 * Reads a bounded number of rows by the index of those to move, without the content of requests that are not
 * due.
 */
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

interface MovedFile {
  readonly id: string;
  readonly object: EvidenceEntry;
  readonly sha256: string;
  readonly statuses: readonly Status[];
  /** Lock that was set in the store; undefined if nothing there is locked. */
  readonly lock: { readonly retainUntil: Date | null } | undefined;
}

interface SwitchParams extends Omit<MovedFile, 'object' | 'lock'> {
  readonly object: string;
  readonly isLocked: boolean;
  readonly retainUntil: Date | null;
}

/**
 * Switches the row in one step: it has either the bytes or the entry. It changes nothing if the evidence was
 * erased, moved or changed in between. Its lock is checked once more: a concurrent change of the request does
 * not see it yet.
 */
const switchRow = statement<SwitchParams, { readonly id: string }>({
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

/** @returns false if the row is no longer as it was read */
export async function switchToMoved(
  target: Parameters<typeof switchRow.run>[0],
  { object, lock, ...rest }: MovedFile,
): Promise<boolean> {
  const params = {
    ...rest,
    object: JSON.stringify(object),
    isLocked: lock !== undefined,
    retainUntil: lock?.retainUntil ?? null,
  };
  return (await switchRow.run(target, params)).length > 0;
}
