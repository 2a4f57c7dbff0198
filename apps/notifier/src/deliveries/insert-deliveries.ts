import type { Database } from '@rubrica/database/connection';
import { leaseEnd } from '@rubrica/database/lease';
import { type ColumnMap, statement, toColumns } from '@rubrica/database/statement';
import { destinationDisabledError } from '../destinations/stop-deliveries.ts';
import type { LeasedDelivery } from './delivery.store.ts';

/** New delivery before it is stored. */
export interface NewDelivery extends Omit<LeasedDelivery, 'roundAttempts' | 'fence' | 'body' | 'committed'> {
  readonly body: NonNullable<LeasedDelivery['body']>;
  /** Issue time of the certificate in the body; null without one. */
  readonly bundleIssuedAt: string | null;
  /** True if the storing process makes the first attempt immediately. */
  readonly leased: boolean;
}

export interface InsertedDelivery {
  /** DUE: new, to be sent. HELD: new, for a disabled destination. KNOWN: already stored. */
  readonly became: 'DUE' | 'HELD' | 'KNOWN';
  /**
   * Resolves when other connections can see the row. Rejects if it was not stored; the job must then be redelivered.
   */
  readonly committed: Promise<void>;
}

/** Days after issuance until an unacknowledged bundle is purged. */
const bundleRetentionDays = 30;

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

interface InsertParams extends ColumnMap<NewDelivery, (typeof newColumns)[number]> {
  readonly leaseSeconds: number;
  readonly disabledError: string;
}

interface InsertedRow {
  readonly id: string;
  readonly state: string;
}

/** Inserts deliveries. Fence 1 is the lease of the storing process, so the first attempt needs no second query. */
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
  bundle_issued_at + interval '${bundleRetentionDays} days'
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
 * Creates the writer. A first attempt starts while the commit waits for the disk. If PostgreSQL crashes at that moment,
 * the job is redelivered and the partner receives the same id and bytes twice, as after a crash between attempt and
 * record.
 * @returns writer that stores deliveries in one statement and returns the outcome of each
 */
export function createDeliveryInsert({
  database,
  leaseMs,
}: {
  database: Pick<Database, 'aheadOfCommit'>;
  leaseMs: number;
}) {
  return async (deliveries: readonly NewDelivery[]): Promise<InsertedDelivery[]> => {
    const { rows, committed } = await database.aheadOfCommit<InsertedRow>(
      insert.bind({
        ...toColumns(deliveries, newColumns),
        leaseSeconds: leaseMs / 1_000,
        disabledError: destinationDisabledError,
      }),
    );
    const stored = new Map<string, InsertedDelivery['became']>(
      rows.map(({ id, state }) => [id, state === 'PENDING' ? 'DUE' : 'HELD']),
    );
    return deliveries.map(({ id }) => {
      const became = stored.get(id) ?? 'KNOWN';
      // The batch has the same job twice: the first gets the outcome, the other is a duplicate.
      stored.delete(id);
      return { became, committed };
    });
  };
}
