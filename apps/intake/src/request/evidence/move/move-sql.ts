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

export interface InlineFile {
  readonly id: string;
  /** Null: it is not its time. */
  readonly content: Buffer | null;
}

/** A bounded number of rows by the index of those with bytes in them; no bytes of a request whose time has not come. */
export const nextInline = statement<
  { readonly lastId: string; readonly statuses: readonly Status[] },
  InlineFile
>({
  name: 'next-evidence-to-move',
  sql: `
select evidence.id, case when status = any(:statuses::text[]) and evidence_key is not null then content end as content
from evidence join request on request.id = evidence.request_id
where content is not null and evidence.id > :lastId::uuid order by evidence.id limit ${batchFiles}`,
});

interface Placed {
  readonly id: string;
  readonly object: EvidenceEntry;
  readonly sha256: string;
  readonly statuses: readonly Status[];
}

/** One step: the row has either the bytes or the entry. Nothing where it was erased, moved or changed meanwhile. */
const place = statement<Omit<Placed, 'object'> & { readonly object: string }, { readonly id: string }>({
  name: 'place-moved-evidence',
  sql: `
update evidence set content = null, object = :object::jsonb from request
where evidence.id = :id::uuid and request.id = evidence.request_id and evidence_key is not null
  and status = any(:statuses::text[]) and object is null and sha256(content) = decode(:sha256::text, 'hex')
returning evidence.id`,
});

/** @returns false where the row is no longer as it was read */
export async function placeMoved(
  target: Parameters<typeof place.run>[0],
  { object, ...rest }: Placed,
): Promise<boolean> {
  return (await place.run(target, { ...rest, object: JSON.stringify(object) })).length > 0;
}
