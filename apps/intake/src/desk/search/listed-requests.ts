import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { families, statuses, validationStatuses } from '@rubrica/contracts/shared/enumerations';
import type { ListedRequest } from './request-row.ts';

export type RequestFilters = Omit<OperatorInput<'requests.search'>, 'cursor' | 'limit' | 'from' | 'to'>;

/**
 * Range of a search: it begins below this position, newest first, and ends with `since`; the first page
 * begins above all rows.
 */
export interface Stretch {
  readonly belowAt: Date | 'infinity';
  readonly belowId: string;
  readonly since: Date | '-infinity';
  readonly limit: number;
}

export interface FoundRequest extends Omit<ListedRequest, 'createdAt' | 'updatedAt'> {
  /** Instants are text, as raw SQL returns them. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface NamedRequest extends FoundRequest {
  /** Given names and surnames; null if they are unknown or were erased. */
  readonly name: string | null;
}

type RowFilter = 'partnerId' | 'family' | 'status' | 'validationStatus' | 'identificationNumber';
/** Filters on columns of the row itself; null means any value. */
export type RequestFilterParams = { readonly [Name in RowFilter]: RequestFilters[Name] | null };

export const columns = `id, family, partner_id as "partnerId", reference_transaction as "referenceTransaction",
  identification_number as "identificationNumber", status, validation_status as "validationStatus",
  created_at as "createdAt", updated_at as "updatedAt",
  nullif(concat_ws(' ', details ->> 'applicantName', details ->> 'applicantLastName', details ->> 'applicantSecondLastName'), '')
    as name`;

/** Returns SQL on a row of `request`, or of its stand-in; `at` is the column of its time. */
export function isBelowSql(at = 'created_at'): string {
  return `(${at}, id) < (:belowAt::timestamptz, :belowId::uuid) and ${at} >= :since::timestamptz`;
}
export const newestFirst = 'order by created_at desc, id desc limit :limit';

/**
 * SQL of the filters on the row. Few rows remain after a reference, an applicant or a name, whatever else is
 * asked for.
 */
export const matchesFiltersSql = `(:partnerId::uuid is null or partner_id = :partnerId)
  and (:family::text is null or family = :family) and (:status::text is null or status = :status)
  and (:validationStatus::text is null or validation_status = :validationStatus)
  and (:identificationNumber::text is null or identification_number = :identificationNumber)`;

/** SQL condition with which `buildStatePageSql` begins for a partner. */
export const partnerConditionSql = 'partner_id = :partnerId and';

export interface States {
  readonly families: readonly string[];
  readonly statuses: readonly string[];
  readonly validationStatuses: readonly string[];
}

export const allStates: States = { families, statuses, validationStatuses };

/** SQL of every requested combination, to be joined to the rows that `matchesStateSql` finds of each. */
export const selectPerStateSql = `unnest(:families::text[]) as f (family) cross join unnest(:statuses::text[]) as s (status)
    cross join unnest(:validationStatuses::text[]) as v (validation_status)`;
export const matchesStateSql = `request.family = f.family and request.status = s.status
        and request.validation_status = v.validation_status`;

/** Function that returns SQL for id and time of the newest requests, up to a limit. */
export type Page = (limit: string) => string;

export function buildNewestPageSql(limit: string): string {
  return `select id, created_at from request where ${isBelowSql()} order by created_at desc, id desc limit ${limit}`;
}

/**
 * Returns SQL for the newest rows of all requested combinations. Each combination reads its own range of an
 * index. The cost is bounded by the number of combinations, however many requests there are and however they
 * are spread.
 * @param ofPartner condition that begins both indexes alike, or nothing
 */
export function buildStatePageSql(ofPartner: string): Page {
  return (limit) => `
  select found.id, found.created_at
  from ${selectPerStateSql} cross join lateral (
      select id, created_at from request
      where ${ofPartner} ${matchesStateSql} and ${isBelowSql()}
      order by created_at desc, id desc limit ${limit}
    ) as found
  order by created_at desc, id desc limit ${limit}`;
}

/** Returns SQL for the rows of a page, in its order. */
export function publicPart(page: string): string {
  return `select shown.* from (${page}) as page
  cross join lateral (select ${columns} from request where request.id = page.id offset 0) as shown
order by page.created_at desc, page.id desc`;
}
