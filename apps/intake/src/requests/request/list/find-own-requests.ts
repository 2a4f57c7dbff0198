import type { ListRequestsInput } from '@rubrica/contracts/services/schemas/lists';
import {
  type ApplicationType,
  type CertificateStatus,
  type CertificateType,
  type Family,
  families,
  type Status,
  statuses,
  type ValidationStatus,
  validationStatuses,
} from '@rubrica/contracts/shared/enumerations';

import {
  type ScanResult,
  type ScanRow,
  scanCursorSql,
  toScanResult,
  wholeScan,
  withScanCursor,
} from '@rubrica/database/search';
import { type StatementTarget, statement } from '@rubrica/database/statement';

export type OwnFilters = Omit<ListRequestsInput, 'cursor' | 'limit' | 'from' | 'to'>;

/**
 * Range of a search: it begins below this position, newest first, and ends with `since`; the first page
 * begins above all rows.
 */
export interface Stretch {
  readonly partnerId: string;
  readonly belowAt: Date | 'infinity';
  readonly belowId: string;
  readonly since: Date | '-infinity';
  readonly limit: number;
}

/** Instants are text, as raw SQL returns them. */
export interface OwnRow {
  readonly id: string;
  readonly referenceTransaction: string;
  readonly family: Family;
  readonly status: Status;
  readonly validationStatus: ValidationStatus;
  readonly certificateType: CertificateType;
  readonly applicationType: ApplicationType | null;
  readonly code: string | null;
  readonly serialNumber: string | null;
  readonly notAfter: string | null;
  readonly certificateStatus: CertificateStatus | null;
  readonly certificateAdvancedDays: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Rows that one page reads for filters without an index; a page that finds fewer returns how far it got. */
const walk = 1_500;
/**
 * References with the same beginning: up to this number are read and sorted; beyond it the newest requests
 * are walked.
 */
const maxSortedReferences = 1_000;

const columns = `id, reference_transaction as "referenceTransaction", family, status,
  validation_status as "validationStatus", certificate_type as "certificateType", application_type as "applicationType",
  error_code as code, serial_number as "serialNumber", not_after as "notAfter",
  certificate_status as "certificateStatus", certificate_advanced_days as "certificateAdvancedDays",
  created_at as "createdAt", updated_at as "updatedAt"`;

// Every query names the partner: another partner's record is indistinguishable from a missing one.
const isOwn = `partner_id = :partnerId and (created_at, id) < (:belowAt::timestamptz, :belowId::uuid)
  and created_at >= :since::timestamptz`;
const newestFirst = 'order by created_at desc, id desc';

type Filter = Exclude<keyof OwnFilters, 'referencePrefix'>;
type FilterParams = { readonly [Name in Filter]: OwnFilters[Name] | null } & {
  readonly prefix: string | null;
};

const matchesFilters = `(:family::text is null or family = :family) and (:status::text is null or status = :status)
  and (:validationStatus::text is null or "validationStatus" = :validationStatus)
  and (:certificateType::text is null or "certificateType" = :certificateType)
  and (:code::text is null or code = :code)
  and (:identificationNumber::text is null or "identificationNumber" = :identificationNumber)
  and (:prefix::text is null or starts_with("referenceTransaction", :prefix))`;

type WalkParams = Stretch & FilterParams;

/**
 * Returns SQL for the newest requests of a partner by one index, as bounds of whole index entries, which no
 * other index serves. With `partner_id = …` the planner may walk all requests by time for a partner that has
 * few.
 * @param key leading columns of the index, each with its value
 */
function newestBy(key: Readonly<Record<string, string>>): string {
  const columns = Object.keys(key).join(', ');
  const values = Object.values(key).join(', ');
  return `(${columns}, created_at, id) < (${values}, :belowAt::timestamptz, :belowId::uuid)
  and (${columns}, created_at, id) >= (${values}, :since::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)
  order by ${[...Object.keys(key), 'created_at', 'id'].map((column) => `${column} desc`).join(', ')}`;
}

const ownColumns = { partner_id: ':partnerId::uuid' };

/** Creates a statement that reads the newest rows of one index range and filters them. */
function createWalk(name: string, newest: string) {
  return statement<WalkParams, OwnRow & ScanRow>({
    name: `own-requests-${name}`,
    sql: `
with walked as materialized (
  select ${columns}, identification_number as "identificationNumber", created_at as at from request
  where ${newest} limit ${walk}
),
found as (select * from walked where ${matchesFilters} order by at desc, id desc limit :limit),
${scanCursorSql([{ rows: 'walked', most: String(walk) }])}
${withScanCursor('select * from found')} order by found.at desc, found.id desc`,
  });
}

const newest = statement<Stretch, OwnRow>({
  name: 'own-requests-newest',
  sql: `select ${columns} from request where ${newestBy(ownColumns)} limit :limit`,
});

const byTime = createWalk('by-time', newestBy(ownColumns));
const byCode = createWalk(
  'by-code',
  `error_code is not null and ${newestBy({ ...ownColumns, error_code: ':code' })}`,
);
// The empty number of erased requests is in no index.
const byApplicant = createWalk(
  'by-applicant',
  `identification_number = :identificationNumber and identification_number <> '' and ${isOwn} ${newestFirst}`,
);

interface Prefix {
  readonly partnerId: string;
  readonly prefix: string;
  readonly prefixEnd: string;
}
const hasPrefix = `partner_id = :partnerId and reference_transaction collate "C" >= :prefix
  and reference_transaction collate "C" < :prefixEnd`;

const countPrefix = statement<Prefix, { readonly count: number }>({
  name: 'own-requests-of-prefix',
  sql: `select count(*)::int as count from (select from request where ${hasPrefix} limit ${maxSortedReferences + 1}) as one`,
});

const byPrefix = statement<WalkParams & Prefix, OwnRow>({
  name: 'own-requests-by-prefix',
  sql: `
select * from (
  select ${columns}, identification_number as "identificationNumber", created_at as at from request
  where ${hasPrefix} and ${isOwn} offset 0
) as found
where ${matchesFilters} order by at desc, id desc limit :limit`,
});

interface States {
  readonly families: readonly string[];
  readonly statuses: readonly string[];
  readonly validationStatuses: readonly string[];
}

/** Finds the newest rows of each combination of states, each by its own range of the index. */
const byStates = statement<Stretch & States, OwnRow>({
  name: 'own-requests-by-states',
  sql: `
select shown.* from (
  select found.id, found.created_at
  from unnest(:families::text[]) as f (family) cross join unnest(:statuses::text[]) as s (status)
    cross join unnest(:validationStatuses::text[]) as v (validation_status) cross join lateral (
    select id, created_at from request
    where request.family = f.family and request.status = s.status
      and request.validation_status = v.validation_status and ${isOwn} ${newestFirst} limit :limit
  ) as found
  ${newestFirst} limit :limit
) as page
cross join lateral (
  select ${columns} from request where request.id = page.id and partner_id = :partnerId offset 0
) as shown
order by page.created_at desc, page.id desc`,
});

/** Upper bound of every text that begins with a prefix, in the order of bytes. */
const aboveAllText = '\u{10FFFF}';

function toList<Value extends string>(value: Value | undefined, all: readonly Value[]): readonly Value[] {
  return value === undefined ? all : [value];
}

/**
 * Finds at most `limit` requests of a partner below a position, newest first, by the index that fits the
 * filters best.
 */
export async function findOwnRequests(
  target: StatementTarget,
  filters: OwnFilters,
  stretch: Stretch,
): Promise<ScanResult<OwnRow>> {
  const { family, status, validationStatus, certificateType, code, identificationNumber, referencePrefix } =
    filters;
  const walkParams: WalkParams = {
    ...stretch,
    ...{ family: family ?? null, status: status ?? null, validationStatus: validationStatus ?? null },
    ...{ certificateType: certificateType ?? null, code: code ?? null },
    ...{ identificationNumber: identificationNumber ?? null, prefix: referencePrefix ?? null },
  };
  if (Object.values(filters).every((filter) => filter === undefined))
    return wholeScan(newest.run(target, stretch));
  if (identificationNumber !== undefined) return toScanResult(await byApplicant.run(target, walkParams));
  if (referencePrefix !== undefined) {
    const prefix = { prefix: referencePrefix, prefixEnd: `${referencePrefix}${aboveAllText}` };
    const [{ count } = { count: 0 }] = await countPrefix.run(target, {
      partnerId: stretch.partnerId,
      ...prefix,
    });
    if (count <= maxSortedReferences) return wholeScan(byPrefix.run(target, { ...walkParams, ...prefix }));
  }
  if (code !== undefined) return toScanResult(await byCode.run(target, walkParams));
  const hasStateFilter = family !== undefined || status !== undefined || validationStatus !== undefined;
  if (!hasStateFilter || certificateType !== undefined || referencePrefix !== undefined)
    return toScanResult(await byTime.run(target, walkParams));
  const states = {
    families: toList(family, families),
    statuses: toList(status, statuses),
    validationStatuses: toList(validationStatus, validationStatuses),
  };
  return wholeScan(byStates.run(target, { ...stretch, ...states }));
}
