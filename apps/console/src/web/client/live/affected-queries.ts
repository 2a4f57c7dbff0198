import type { OperatorPath } from '../trpc.ts';
import type { LiveEvent } from './event-stream.ts';

/** Queries whose answers an event may have changed. */
interface EventRule {
  readonly event: string;
  /** Restricts the row to these changes. */
  readonly changes?: readonly string[];
  /** Queries affected with any input. */
  readonly lists?: readonly OperatorPath[];
  /** Queries affected if their input names the event's request. */
  readonly ofRequest?: readonly OperatorPath[];
  /** True if the event has effects in other services, such as a webhook, that are visible a moment later. */
  readonly again?: true;
}

const eventRules: readonly EventRule[] = [
  {
    event: 'review.changed',
    changes: ['waiting', 'decided'],
    lists: ['reviews.queue', 'overview', 'deliveries.search'],
    ofRequest: ['reviews.get', 'requests.get', 'requests.timeline'],
    again: true,
  },
  {
    event: 'review.changed',
    changes: ['assigned'],
    lists: ['reviews.queue'],
    ofRequest: ['reviews.get'],
  },
  { event: 'review.changed', changes: ['presence'], ofRequest: ['reviews.get'] },
  ...['certificate.issued', 'certificate.failed'].map(
    (event): EventRule => ({
      event,
      lists: ['overview', 'deliveries.search', 'deliveries.get'],
      ofRequest: [
        'reviews.get',
        'requests.get',
        'requests.timeline',
        'certificates.search',
        'messages.search',
      ],
      again: true,
    }),
  ),
];

/** Query key in the cache. */
type QueryKey = readonly unknown[];

export interface AffectedQueries {
  isConcerned(key: QueryKey): boolean;
  readonly again: boolean;
}

/** Selects the cached queries that an event affects. */
export function selectAffectedQueries({ name, data }: LiveEvent): AffectedQueries {
  const rows = eventRules.filter(
    ({ event, changes }) => event === name && (changes?.includes(data.change ?? '') ?? true),
  );
  return {
    again: rows.some(({ again }) => again),
    isConcerned: ([path, input]) =>
      rows.some(
        ({ lists = [], ofRequest = [] }) =>
          lists.includes(path as OperatorPath) ||
          (ofRequest.includes(path as OperatorPath) && readRequestId(input) === data.requestId),
      ),
  };
}

/** Returns whether events keep a query up to date, so that it must be reloaded after a break. */
export function isLiveQuery([path]: QueryKey): boolean {
  return eventRules.some(({ lists = [], ofRequest = [] }) =>
    [...lists, ...ofRequest].some((one) => one === path),
  );
}

function readRequestId(input: unknown): unknown {
  return (input as { readonly requestId?: unknown } | undefined)?.requestId;
}
