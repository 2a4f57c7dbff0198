import { type ColumnsOf, columnsOf, type Database, leaseEnd, statement } from '@rubrica/database';
import { disabledError } from '../destinations/stop-deliveries.ts';
import type { LeasedDelivery } from './delivery.store.ts';

/** A delivery about to be stored for the first time. */
export interface NewDelivery extends Omit<LeasedDelivery, 'roundAttempts' | 'fence' | 'body' | 'committed'> {
  readonly body: NonNullable<LeasedDelivery['body']>;
  /** When the certificate in the body was issued; null where there is none. */
  readonly bundleIssuedAt: string | null;
  /** The storing process makes the first attempt itself, at once. */
  readonly leased: boolean;
}

export interface Stored {
  /** DUE: new, to be sent. HELD: new, for a destination that is disabled. KNOWN: it was there before. */
  readonly became: 'DUE' | 'HELD' | 'KNOWN';
  /** Until then no other connection sees the row. Rejects where it was not stored: the job has to come again. */
  readonly committed: Promise<void>;
}

/** A bundle that was not acknowledged is purged then. */
const bundleDays = 30;

const newColumns = [
  'id',
  'partnerId',
  'requestId',
  'type',
  'url',
  'destination',
  'occurredAt',
  'traceparent',
  'renewalOf',
  'code',
  'body',
  'mac',
  'bundleIssuedAt',
  'leased',
] as const satisfies (keyof NewDelivery)[];

interface InsertParams extends ColumnsOf<NewDelivery, (typeof newColumns)[number]> {
  readonly leaseSeconds: number;
  readonly disabledError: string;
}

interface InsertedRow {
  readonly id: string;
  readonly state: string;
}

/** Fence 1 is the lease of the process that stores it: the first attempt needs no second round trip. */
const insert = statement<InsertParams, InsertedRow>({
  name: 'insert-deliveries',
  sql: `
insert into delivery (id, partner_id, request_id, type, url, destination, occurred_at, traceparent, renewal_of, code,
  body, mac, has_bundle, state, last_error, due_at, fence, purge_at)
select n.id, n.partner_id, request_id, type, url, n.destination, occurred_at, traceparent,
  renewal_of, n.code, body, mac, bundle_issued_at is not null,
  case when held.id is null then 'PENDING' else 'STOPPED' end,
  case when held.id is not null then :disabledError::text end,
  case when held.id is not null then null when leased then ${leaseEnd} else now() end,
  case when leased then 1 else 0 end,
  bundle_issued_at + interval '${bundleDays} days'
from unnest(:id::uuid[], :partnerId::uuid[], :requestId::uuid[], :type::text[], :url::text[], :destination::text[],
      :occurredAt::timestamptz[], :traceparent::text[], :renewalOf::text[], :code::text[], :body::text[],
    :mac::text[], :bundleIssuedAt::timestamptz[], :leased::boolean[])
  as n (id, partner_id, request_id, type, url, destination, occurred_at, traceparent, renewal_of, code, body,
    mac, bundle_issued_at, leased)
left join endpoint held
  on held.partner_id = n.partner_id and held.destination = n.destination and held.state = 'DISABLED'
on conflict (id) do nothing
returning id, state`,
});

/**
 * A first attempt begins while the commit waits for the disk. Should PostgreSQL die just then, the job comes again and
 * the partner is sent the same id and bytes once more, as after a crash between the attempt and its record.
 * @returns a writer that stores deliveries in one statement and gives the outcome for each
 */
export function createDeliveryInsert({
  database,
  leaseMs,
}: {
  database: Pick<Database, 'aheadOfCommit'>;
  leaseMs: number;
}) {
  return async (deliveries: readonly NewDelivery[]): Promise<Stored[]> => {
    const { rows, committed } = await database.aheadOfCommit<InsertedRow>(
      insert.bind({ ...columnsOf(deliveries, newColumns), leaseSeconds: leaseMs / 1_000, disabledError }),
    );
    const stored = new Map<string, Stored['became']>(
      rows.map(({ id, state }) => [id, state === 'PENDING' ? 'DUE' : 'HELD']),
    );
    return deliveries.map(({ id }) => {
      const became = stored.get(id) ?? 'KNOWN';
      // The same job twice in one batch: the first of them takes the answer, the other was no news.
      stored.delete(id);
      return { became, committed };
    });
  };
}
