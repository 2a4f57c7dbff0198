import { eventListQuery, listOperations } from '@rubrica/contracts/rest/lists';
import type * as listsContract from '@rubrica/contracts/services/schemas/lists';
import { formatLocalDateTime } from '@rubrica/process/time';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { requirePartner } from '../../context.ts';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { parseFields } from '../../fields/parse-fields.ts';
import type { Handler } from '../../http/handler.ts';
import type { RestDeps } from '../deps.ts';
import { readListQuery } from './list-query.ts';
import { withRequests } from './name-requests.ts';

type Deps = Pick<RestDeps, 'peers' | 'timeZone'>;
type Event = z.output<typeof listsContract.resentEvent>;
const emptyPage = { items: [], nextCursor: null } as const;

/** Lists the webhook events of the calling partner: from the notifier, with the references from intake. */
export function createListEvents(deps: Deps): Handler {
  const { peers, timeZone } = deps;
  return async (request) => {
    const { referenceTransaction, ...values } = readListQuery(eventListQuery.shape, request.query, timeZone);
    const options = { for: requirePartner(request) };
    const requestId =
      referenceTransaction === undefined
        ? undefined
        : (await peers.intake['requests.name']({ requestIds: [], referenceTransaction }, options)).items[0]
            ?.requestId;
    if (referenceTransaction !== undefined && requestId === undefined) return emptyPage;
    const { items, nextCursor } = await peers.notifier['events.list'](
      { ...values, ...(requestId !== undefined && { requestId }) },
      options,
    );
    const named = await withRequests(deps, items, options);
    return {
      items: named.map(({ row, request: namedRequest }) => toItem(row, namedRequest, timeZone)),
      nextCursor,
    };
  };
}

/** Returns one event with its attempts and its body, without file and password. */
export function createReadEvent(deps: Deps): Handler {
  const { peers, timeZone } = deps;
  return async (request) => {
    const options = { for: requirePartner(request) };
    const { attemptList, body, ...event } = await peers.notifier['events.read'](
      readEventId(request),
      options,
    );
    return {
      ...(await toNamedItem(deps, event, options)),
      attemptList: attemptList.map(({ at, ...attempt }) => ({
        at: formatLocalDateTime(new Date(at), timeZone),
        ...attempt,
      })),
      body,
    };
  };
}

/** Resends one event. */
export function createResendEvent(deps: Deps): Handler {
  return async (request) => {
    const options = { for: requirePartner(request) };
    const event = await deps.peers.notifier['events.resend'](readEventId(request), options);
    return toNamedItem(deps, event, options);
  };
}

/**
 * Reads the event id of the path.
 * @throws AppError FIELD_INVALID
 */
function readEventId({ params }: FastifyRequest): { readonly eventId: string } {
  const { values, faults } = parseFields(
    listOperations.readEvent.params.shape,
    params as Readonly<Record<string, unknown>>,
  );
  assertFaultless(faults);
  return values as { readonly eventId: string };
}

async function toNamedItem(deps: Deps, event: Event, options: Parameters<typeof withRequests>[2]) {
  const [named] = await withRequests(deps, [event], options);
  return toItem(event, { referenceTransaction: named?.request.referenceTransaction ?? '' }, deps.timeZone);
}

function toItem(
  { requestId: _requestId, ...event }: Event,
  { referenceTransaction }: { readonly referenceTransaction: string },
  timeZone: string,
) {
  const formatTime = (instant: string | null) => instant && formatLocalDateTime(new Date(instant), timeZone);
  const { eventId, type, code, ...rest } = event;
  return {
    ...{ eventId, type, code, referenceTransaction },
    ...rest,
    nextAttemptAt: formatTime(rest.nextAttemptAt),
    createdDate: formatTime(rest.createdDate),
    deliveredDate: formatTime(rest.deliveredDate),
  };
}
