import type { OperatorOutput, OperatorPath } from '@rubrica/contracts/operators/procedures';
import { families } from '@rubrica/contracts/shared/enumerations';
import type { Cell } from './csv.ts';

/** Paged procedure as a table. */
export interface CsvReport {
  readonly path: OperatorPath;
  readonly columns: readonly string[];
  /** Formats one item of the procedure's output as lines. */
  lines(item: never): readonly (readonly Cell[])[];
}

type ReportItem<P extends 'requests.search' | 'reports.usage' | 'reports.serviceLevels'> =
  OperatorOutput<P>['items'][number];

const requestColumns = [
  'requestId',
  'family',
  'partnerId',
  'referenceTransaction',
  'identificationNumber',
  'name',
  'status',
  'validationStatus',
  'createdDate',
  'updatedDate',
] as const satisfies readonly (keyof ReportItem<'requests.search'>)[];

/**
 * Columns that spreadsheets must not convert: partners choose references, and identification numbers start with zero in
 * nine provinces.
 */
const exactColumns = new Set<string>(['referenceTransaction', 'identificationNumber']);

function toExact(text: string | null): Cell {
  return text === null ? null : { exact: text };
}

const counts = ['registered', 'issued', 'refused', 'cancelled', 'expired'] as const;

const levelColumns = [
  'month',
  'partnerId',
  'partnerName',
  'registered',
  'issued',
  'refused',
  'cancelled',
  'expired',
  'issuedShare',
  'refusedShare',
  'cancelledShare',
  'expiredShare',
  'outcomeP50Seconds',
  'outcomeP95Seconds',
  'certificateP50Seconds',
  'certificateP95Seconds',
  'webhooks',
  'webhooksDelivered',
  'webhooksAtFirstAttempt',
  'webhookP50Seconds',
  'webhookP95Seconds',
  'reviews',
  'reviewP50Seconds',
  'reviewP95Seconds',
] as const satisfies readonly (keyof ReportItem<'reports.serviceLevels'>)[];

/** Reports by file name, below `/reports/`. */
export const csvReports: Readonly<Record<string, CsvReport>> = {
  'requests.csv': {
    path: 'requests.search',
    columns: requestColumns,
    lines: (item: ReportItem<'requests.search'>) => [
      requestColumns.map((name) => (exactColumns.has(name) ? toExact(item[name]) : item[name])),
    ],
  },
  'usage.csv': {
    path: 'reports.usage',
    columns: ['month', 'partnerId', 'partnerName', 'family', ...counts],
    lines: ({ month, partnerId, partnerName, byFamily }: ReportItem<'reports.usage'>) =>
      families.map((family) => [
        ...[month, partnerId, partnerName, family],
        ...counts.map((name) => byFamily[family][name]),
      ]),
  },
  'service-levels.csv': {
    path: 'reports.serviceLevels',
    columns: levelColumns,
    lines: (item: ReportItem<'reports.serviceLevels'>) => [levelColumns.map((name) => item[name])],
  },
};
