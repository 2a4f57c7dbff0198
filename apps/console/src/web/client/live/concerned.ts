import type { OperatorPath } from '../trpc.ts';
import type { LiveEvent } from './event-stream.ts';

/** Queries whose answers an event may have changed. */
interface Concern {
  readonly event: string;
  /** Only of these changes. */
  readonly changes?: readonly string[];
  /** Whatever their input is. */
  readonly lists?: readonly OperatorPath[];
  /** Where their input names the event's request. */
  readonly ofRequest?: readonly OperatorPath[];
  /** What follows from it in other services, such as a webhook, is there a moment later. */
  readonly again?: true;
}

const concerns: readonly Concern[] = [
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
    (event): Concern => ({
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

/** A query as the cache knows it. */
type QueryKey = readonly unknown[];

export interface Concerned {
  isConcerned(key: QueryKey): boolean;
  readonly again: boolean;
}

/** Which queries of the cache an event concerns. */
export function concernedBy({ name, data }: LiveEvent): Concerned {
  const rows = concerns.filter(
    ({ event, changes }) => event === name && (changes?.includes(data.change ?? '') ?? true),
  );
  return {
    again: rows.some(({ again }) => again),
    isConcerned: ([path, input]) =>
      rows.some(
        ({ lists = [], ofRequest = [] }) =>
          lists.includes(path as OperatorPath) ||
          (ofRequest.includes(path as OperatorPath) && requestIdOf(input) === data.requestId),
      ),
  };
}

/** Whether a page follows what happens by any event, and so is asked anew after a break. */
export function isFollowed([path]: QueryKey): boolean {
  return concerns.some(({ lists = [], ofRequest = [] }) =>
    [...lists, ...ofRequest].some((one) => one === path),
  );
}

function requestIdOf(input: unknown): unknown {
  return (input as { readonly requestId?: unknown } | undefined)?.requestId;
}
