import type { OperatorPath } from '@rubrica/contracts/operators/procedures';
import type { KnownValues, OperatorCall } from './calls.ts';
import { mostRowsOfName } from './named-calls.ts';

/** Values of each filter: a frequent one, and one that few or no rows have. */
type Values = Readonly<Record<string, readonly [frequent: unknown, rare: unknown]>>;

/**
 * Lists every set of filters of every search, with the frequent values and with the rare ones, which together match
 * almost nothing.
 */
export function everyCombination(known: KnownValues): OperatorCall[] {
  const searches = Object.entries(listValues(known)).flatMap(([path, values]) =>
    combinations(path as OperatorPath, values),
  );
  const audits = ['intake', 'generation'].flatMap((service) =>
    combinations('audit.list', auditValues(known), { service }),
  );
  return [...searches, ...audits];
}

/**
 * Combines filters.
 * @param always filters of each call
 */
export function combinations(
  path: OperatorPath,
  values: Values,
  always: Readonly<Record<string, unknown>> = {},
): OperatorCall[] {
  const suffixes = Object.values(always).map((value) => ` of ${value}`);
  const names = Object.keys(values);
  return Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_name, place) => bits & (1 << place)),
  ).flatMap((chosen) =>
    (['frequent', 'rare'] as const)
      .filter((kind) => kind === 'frequent' || chosen.length > 0)
      .map((kind) => ({
        name: `${path}${suffixes} ${kind}: ${chosen.join(', ') || 'no filter'}`,
        path,
        input: {
          ...always,
          ...Object.fromEntries(chosen.map((name) => [name, values[name]?.[kind === 'frequent' ? 0 : 1]])),
        },
        ...(chosen.some((name) => isOfWords.has(name)) ? { mostRows: mostRowsOfName } : {}),
      })),
  );
}

const isOfWords: ReadonlySet<string> = new Set(['name', 'email', 'identificationNumber']);

function listValues(known: KnownValues): Partial<Record<OperatorPath, Values>> {
  const { largePartner, smallPartner, requestId, reference, applicant, serialNumber, since, until } = known;
  const nobody = '01990000-0000-7000-8000-000000000000';
  const soon = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const never = new Date(Date.now() + 20 * 365 * 86_400_000).toISOString();
  return {
    'requests.search': {
      status: ['GENERATED', 'ERROR'],
      validationStatus: ['COMPLETED', 'REFUSED'],
      family: ['TV', 'API'],
      partnerId: [largePartner, smallPartner],
      identificationNumber: [applicant, '0999999999'],
      referenceTransaction: [reference, 'nothing has it'],
      name: ['maria', 'xolalpa'],
      email: ['applicant1', 'nobody@example.com'],
      from: [since, since],
      to: [new Date().toISOString(), until],
    },
    'certificates.search': {
      serialNumber: [serialNumber, '5000000000000000000000000000000000000000'],
      requestId: [requestId, nobody],
      identificationNumber: [applicant, '0999999999'],
      name: ['maria', 'xolalpa'],
      status: ['VALID', 'REVOKED'],
      notAfterFrom: [new Date().toISOString(), soon],
      notAfterTo: [never, soon],
    },
    'deliveries.search': {
      state: ['DELIVERED', 'STOPPED'],
      partnerId: [largePartner, smallPartner],
      requestId: [requestId, nobody],
    },
    'messages.search': { state: ['SENT', 'FAILED'], requestId: [requestId, nobody] },
    'reviews.queue': { assignedTo: ['nobody', 'nobody'] },
  };
}

function auditValues({ requestId, since, until }: KnownValues): Values {
  return {
    actor: ['operator:reviewer@rubrica.test', 'operator:nobody@rubrica.test'],
    action: ['requests.get', 'nothing.done'],
    requestId: [requestId, '01990000-0000-7000-8000-000000000000'],
    since: [since, since],
    until: [new Date().toISOString(), until],
  };
}
