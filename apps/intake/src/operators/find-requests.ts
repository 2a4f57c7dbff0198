import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { families, statuses, validationStatuses } from '@rubrica/contracts/shared/enumerations';
import { type StatementTarget, statement } from '@rubrica/database';
import type { ListedRequest } from './request-row.ts';

export type RequestFilters = Omit<OperatorInput<'requests.search'>, 'cursor' | 'limit'>;

/** Begins below this place, newest first; the first page begins above all. */
interface Stretch {
  readonly belowAt: Date | 'infinity';
  readonly belowId: string;
  readonly limit: number;
}

export interface FoundRequest extends Omit<ListedRequest, 'createdAt' | 'updatedAt'> {
  /** Instants are text, as raw SQL gives them. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

const columns = `id, family, partner_id as "partnerId", reference_transaction as "referenceTransaction",
  identification_number as "identificationNumber", status, validation_status as "validationStatus",
  created_at as "createdAt", updated_at as "updatedAt"`;
const isBelow = '(created_at, id) < (:belowAt::timestamptz, :belowId::uuid)';
const newestFirst = 'order by created_at desc, id desc limit :limit';

const findNewest = statement<Stretch, FoundRequest>({
  name: 'newest-requests',
  sql: `select ${columns} from request where ${isBelow} ${newestFirst}`,
});

type Named = { readonly [Name in keyof RequestFilters]-?: NonNullable<RequestFilters[Name]> | null };

/** What remains after a reference or an applicant is few, whatever else is asked for. */
const isMeant = `(:partnerId::uuid is null or partner_id = :partnerId) and (:family::text is null or family = :family)
  and (:status::text is null or status = :status)
  and (:validationStatus::text is null or validation_status = :validationStatus)`;

const findByReference = statement<Stretch & Named, FoundRequest>({
  name: 'requests-by-reference',
  sql: `select ${columns} from request where reference_transaction = :referenceTransaction
    and (:identificationNumber::text is null or identification_number = :identificationNumber)
    and ${isMeant} and ${isBelow} ${newestFirst}`,
});

// The empty number of erased requests is in no index.
const findByApplicant = statement<Stretch & Omit<Named, 'referenceTransaction'>, FoundRequest>({
  name: 'requests-by-applicant',
  sql: `select ${columns} from request
    where identification_number = :identificationNumber and identification_number <> '' and ${isMeant} and ${isBelow}
    ${newestFirst}`,
});

interface States extends Stretch {
  readonly families: readonly string[];
  readonly statuses: readonly string[];
  readonly validationStatuses: readonly string[];
}

/**
 * The newest of each combination that is asked for, each by a stretch of an index that holds nothing else, and of those
 * the newest: bounded by the number of combinations, however many requests there are and however they are spread.
 */
function byState(ofPartner: string): string {
  return `
select shown.* from (
  select found.id, found.created_at
  from unnest(:families::text[]) as f (family) cross join unnest(:statuses::text[]) as s (status)
    cross join unnest(:validationStatuses::text[]) as v (validation_status)
    cross join lateral (
      select id, created_at from request
      where ${ofPartner} request.family = f.family and request.status = s.status
        and request.validation_status = v.validation_status and ${isBelow} ${newestFirst}
    ) as found
  ${newestFirst}
) as page cross join lateral (select ${columns} from request where request.id = page.id offset 0) as shown
order by page.created_at desc, page.id desc`;
}

const findByState = statement<States, FoundRequest>({ name: 'requests-by-state', sql: byState('') });
const findByPartner = statement<States & { readonly partnerId: string }, FoundRequest>({
  name: 'requests-by-partner',
  sql: byState('partner_id = :partnerId and'),
});

function oneOr<Value extends string>(value: Value | undefined, all: readonly Value[]): readonly Value[] {
  return value === undefined ? all : [value];
}

/** Each search by the index that begins with what it names; at most `limit` rows below a place, newest first. */
export function findRequests(
  target: StatementTarget,
  filters: RequestFilters,
  stretch: Stretch,
): Promise<FoundRequest[]> {
  const { family, status, validationStatus, partnerId } = filters;
  const { referenceTransaction, identificationNumber } = filters;
  const named = {
    ...stretch,
    family: family ?? null,
    status: status ?? null,
    validationStatus: validationStatus ?? null,
    partnerId: partnerId ?? null,
    identificationNumber: identificationNumber ?? null,
  };
  if (referenceTransaction !== undefined)
    return findByReference.run(target, { ...named, referenceTransaction });
  if (identificationNumber !== undefined) return findByApplicant.run(target, named);
  const states = {
    ...stretch,
    families: oneOr(family, families),
    statuses: oneOr(status, statuses),
    validationStatuses: oneOr(validationStatus, validationStatuses),
  };
  if (partnerId !== undefined) return findByPartner.run(target, { ...states, partnerId });
  const isOpen = family === undefined && status === undefined && validationStatus === undefined;
  return isOpen ? findNewest.run(target, stretch) : findByState.run(target, states);
}
