import { families, statuses, validationStatuses } from '@rubrica/contracts/shared/enumerations';
import { type ScanResult, type Terms, wholeScan } from '@rubrica/database/search';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { findRequestsByName, matchesNameSql, toNameSearch } from './find-requests-by-name.ts';
import {
  buildStatePageSql,
  columns,
  isBelowSql,
  matchesFiltersSql,
  type NamedRequest,
  newestFirst,
  partnerConditionSql,
  publicPart,
  type RequestFilterParams,
  type RequestFilters,
  type States,
  type Stretch,
} from './listed-requests.ts';

const findNewest = statement<Stretch, NamedRequest>({
  name: 'newest-requests',
  sql: `select ${columns} from request where ${isBelowSql()} ${newestFirst}`,
});

type NullableTerms = { readonly [Name in keyof Terms]: Terms[Name] | null };
type FilterParams = Stretch & RequestFilterParams & NullableTerms;

const findByReference = statement<FilterParams & { readonly referenceTransaction: string }, NamedRequest>({
  name: 'requests-by-reference',
  sql: `select ${columns} from request where reference_transaction = :referenceTransaction
    and ${matchesFiltersSql} and ${matchesNameSql} and ${isBelowSql()} ${newestFirst}`,
});

// The empty number of erased requests is in no index.
const findByApplicant = statement<FilterParams, NamedRequest>({
  name: 'requests-by-applicant',
  sql: `select ${columns} from request
    where identification_number = :identificationNumber and identification_number <> '' and ${matchesFiltersSql} and ${matchesNameSql}
      and ${isBelowSql()} ${newestFirst}`,
});

const findByState = statement<Stretch & States, NamedRequest>({
  name: 'requests-by-state',
  sql: publicPart(buildStatePageSql('')(':limit')),
});
const findByPartner = statement<Stretch & States & { readonly partnerId: string }, NamedRequest>({
  name: 'requests-by-partner',
  sql: publicPart(buildStatePageSql(partnerConditionSql)(':limit')),
});

/**
 * Finds requests by the index that begins with the filter given: at most `limit` rows below a position,
 * newest first.
 */
export function findRequests(
  target: StatementTarget,
  filters: RequestFilters,
  stretch: Stretch,
): Promise<ScanResult<NamedRequest>> {
  const { family, status, validationStatus, partnerId } = filters;
  const { referenceTransaction, identificationNumber } = filters;
  const meant = {
    family: family ?? null,
    status: status ?? null,
    validationStatus: validationStatus ?? null,
    partnerId: partnerId ?? null,
    identificationNumber: identificationNumber ?? null,
  };
  const sought = toNameSearch(filters);
  const filterParams = { ...stretch, ...meant, ...(sought?.alternatives[0] ?? noTerms) };
  if (referenceTransaction !== undefined)
    return wholeScan(findByReference.run(target, { ...filterParams, referenceTransaction }));
  if (identificationNumber !== undefined) return wholeScan(findByApplicant.run(target, filterParams));
  const states = {
    families: toList(family, families),
    statuses: toList(status, statuses),
    validationStatuses: toList(validationStatus, validationStatuses),
  };
  if (sought !== undefined) return findRequestsByName(target, { sought, stretch, meant, states });
  if (partnerId !== undefined)
    return wholeScan(findByPartner.run(target, { ...stretch, ...states, partnerId }));
  const isOpen = family === undefined && status === undefined && validationStatus === undefined;
  return wholeScan(
    isOpen ? findNewest.run(target, stretch) : findByState.run(target, { ...stretch, ...states }),
  );
}

const noTerms = { termFrom: null, termBelow: null, patterns: null };

function toList<Value extends string>(value: Value | undefined, all: readonly Value[]): readonly Value[] {
  return value === undefined ? all : [value];
}
