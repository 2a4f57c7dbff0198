import type { OperatorPath } from '@rubrica/contracts/operators/procedures';
import type { operatorActor } from '../../e2e/support/operator-actor.ts';
import { namedCalls } from './named-calls.ts';
import { partnerCalls } from './partner-calls.ts';
import type { StoredStack } from './stored-stack.ts';

export type Operator = Awaited<ReturnType<typeof operatorActor>>;

/** A call, with the number of rows of a growing table that it may read. */
export type StoredCall = OperatorCall | PartnerCall;

interface CommonCall {
  readonly name: string;
  /** Number of pages before the measured one. */
  readonly deep?: number;
  readonly mostRows?: number;
}

export interface OperatorCall extends CommonCall {
  readonly path: OperatorPath;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A list that a partner's program reads over REST. */
export interface PartnerCall extends CommonCall {
  readonly partner: 'largePartner' | 'smallPartner';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Existing values, of a request in the middle of the stored ones. */
export interface KnownValues {
  readonly largePartner: string;
  readonly smallPartner: string;
  readonly requestId: string;
  readonly reference: string;
  readonly applicant: string;
  readonly serialNumber: string;
  readonly deliveryId: string;
  readonly email: string;
  readonly name: string;
  readonly since: string;
  readonly until: string;
}

type Filters = Readonly<Record<string, unknown>>;

export function searches(path: OperatorPath, filters: Readonly<Record<string, Filters>>): OperatorCall[] {
  return Object.entries(filters).map(([name, input]) => ({ name: `${path} ${name}`, path, input }));
}

/** Lists every search and list of operators and partners, by each filter alone and by the usual pairs. */
export function storedCalls(known: KnownValues): StoredCall[] {
  return [...operatorCalls(known), ...partnerCalls(known)];
}

export function operatorCalls(known: KnownValues): StoredCall[] {
  const { largePartner, smallPartner, requestId, reference, applicant, serialNumber, since, until } = known;
  const search = searches('requests.search', {
    'without a filter': {},
    'a common family': { family: 'TV' },
    'a rare family': { family: 'FS' },
    'a family that nobody used': { family: 'API' },
    'a common status': { status: 'GENERATED' },
    'a rare status': { status: 'ERROR' },
    'a status that nothing has': { status: 'GENERATING' },
    'a validation status': { validationStatus: 'REFUSED' },
    'a large partner': { partnerId: largePartner },
    'a small partner': { partnerId: smallPartner },
    'an applicant': { identificationNumber: applicant },
    'an applicant that nobody is': { identificationNumber: '0999999999' },
    'a reference': { referenceTransaction: reference },
    'partner and status': { partnerId: largePartner, status: 'ERROR' },
    'partner and an unused family': { partnerId: largePartner, family: 'API' },
    'family and status': { family: 'FS', status: 'EXPIRED' },
    'statuses that exclude each other': { status: 'GENERATED', validationStatus: 'REFUSED' },
    'partner, family and status': { partnerId: smallPartner, family: 'FR', status: 'CANCELLED' },
  });
  return [
    ...search,
    ...namedCalls(known),
    { name: 'requests.search page 20', path: 'requests.search', input: { limit: 100 }, deep: 19 },
    {
      name: 'requests.search a family, page 20',
      path: 'requests.search',
      input: { family: 'TV', limit: 100 },
      deep: 19,
    },
    ...searches('requests.get', { '': { requestId } }),
    ...searches('requests.timeline', { '': { requestId } }),
    ...searches('requests.holdings', { '': { identificationNumber: applicant } }),
    // Counted by intent: up to 100,000 of each kind.
    { name: 'overview', path: 'overview', input: {}, mostRows: 1_000_000 },
    ...searches('reviews.queue', { 'without a filter': {}, 'of nobody': { assignedTo: 'nobody' } }),
    ...searches('deliveries.search', {
      'without a filter': {},
      'a rare state': { state: 'EXHAUSTED' },
      'a state that nothing has': { state: 'PENDING' },
      'a large partner': { partnerId: largePartner },
      'partner and a rare state': { partnerId: smallPartner, state: 'STOPPED' },
      'a request': { requestId },
    }),
    { name: 'deliveries.search page 20', path: 'deliveries.search', input: { limit: 100 }, deep: 19 },
    ...searches('deliveries.get', { '': { id: known.deliveryId } }),
    ...searches('deliveries.destinations', { '': {} }),
    ...searches('messages.search', {
      'without a filter': {},
      'a rare state': { state: 'FAILED' },
      'a request': { requestId },
    }),
    ...searches('certificates.search', {
      'without a filter': {},
      'a serial number': { serialNumber },
      'a request': { requestId },
    }),
    { name: 'certificates.search page 20', path: 'certificates.search', input: { limit: 100 }, deep: 19 },
    ...searches('certificates.get', { '': { serialNumber } }),
    ...['intake', 'generation'].flatMap((service) =>
      searches('audit.list', {
        [`of ${service}`]: { service },
        [`of ${service}, an actor`]: { service, actor: 'operator:reviewer@rubrica.test' },
        [`of ${service}, an actor that nobody is`]: { service, actor: 'operator:nobody@rubrica.test' },
        [`of ${service}, an action`]: { service, action: 'requests.get' },
        [`of ${service}, a request`]: { service, requestId },
        [`of ${service}, until long ago`]: { service, until },
        [`of ${service}, a day long ago`]: { service, since, until },
      }),
    ),
    ...searches('partners.list', { '': {} }),
    ...searches('approvals.list', { '': {} }),
  ];
}

type Callers = Pick<StoredStack, 'operator' | 'partners'>;

function send(
  { operator, partners }: Callers,
  call: StoredCall,
  cursor: string | undefined,
): Promise<unknown> {
  const page: Readonly<Record<string, string>> = cursor === undefined ? {} : { cursor };
  return 'partner' in call
    ? partners[call.partner](call.path, { ...call.query, ...page })
    : operator.call(call.path, { ...call.input, ...page } as never);
}

/**
 * Makes the call; a deep one receives the cursor of the previous page.
 * @returns its duration in milliseconds
 * @throws Error that names it
 */
export async function callOnce(
  callers: Callers,
  call: StoredCall,
  cursor: string | undefined,
): Promise<number> {
  const startedAt = performance.now();
  await send(callers, call, cursor).catch((cause: unknown) => {
    throw new Error(`${call.name} failed after ${(performance.now() - startedAt).toFixed(0)} ms`, { cause });
  });
  return performance.now() - startedAt;
}

/** Returns the cursor of the measured page; undefined if it is the first or there are fewer. */
export async function findCursor(callers: Callers, call: StoredCall): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < (call.deep ?? 0); page += 1) {
    const answer = (await send(callers, call, cursor)) as { readonly nextCursor: string | null };
    if (answer.nextCursor === null) break;
    cursor = answer.nextCursor;
  }
  return cursor;
}
