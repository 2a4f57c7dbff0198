import type { OperatorOutput, OperatorPath } from '@rubrica/contracts/operators/procedures';
import { families } from '@rubrica/contracts/shared/enumerations';
import type { Cell } from './csv.ts';

/** A procedure that gives pages, as a table. */
export interface CsvReport {
  readonly path: OperatorPath;
  readonly columns: readonly string[];
  /** The lines of one item of the procedure's output. */
  lines(item: never): readonly (readonly Cell[])[];
}

type ItemOf<P extends 'requests.search' | 'reports.usage' | 'reports.serviceLevels'> =
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
] as const satisfies readonly (keyof ItemOf<'requests.search'>)[];

/** Partners choose references, and identification numbers begin with a zero in nine provinces. */
const exactColumns = new Set<string>(['referenceTransaction', 'identificationNumber']);

function exact(text: string | null): Cell {
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
] as const satisfies readonly (keyof ItemOf<'reports.serviceLevels'>)[];

/** By the name of the file, below `/reports/`. */
export const csvReports: Readonly<Record<string, CsvReport>> = {
  'requests.csv': {
    path: 'requests.search',
    columns: requestColumns,
    lines: (item: ItemOf<'requests.search'>) => [
      requestColumns.map((name) => (exactColumns.has(name) ? exact(item[name]) : item[name])),
    ],
  },
  'usage.csv': {
    path: 'reports.usage',
    columns: ['month', 'partnerId', 'partnerName', 'family', ...counts],
    lines: ({ month, partnerId, partnerName, byFamily }: ItemOf<'reports.usage'>) =>
      families.map((family) => [
        ...[month, partnerId, partnerName, family],
        ...counts.map((name) => byFamily[family][name]),
      ]),
  },
  'service-levels.csv': {
    path: 'reports.serviceLevels',
    columns: levelColumns,
    lines: (item: ItemOf<'reports.serviceLevels'>) => [levelColumns.map((name) => item[name])],
  },
};
