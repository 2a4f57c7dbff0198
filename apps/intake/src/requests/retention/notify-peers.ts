import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import type { Database } from '@rubrica/database/connection';
import { lease } from '@rubrica/database/lease';
import { statement, toColumns } from '@rubrica/database/statement';
import type { Logger } from '@rubrica/process/log';
import { peerNames, type RetentionPeer, type RetentionPeers, retentionCalls } from './retention-peers.ts';

/**
 * Lease of the orders, longer than a call may take: afterwards another copy takes those of a copy that died.
 */
const leaseSeconds = 30;
const batchRows = 500;

/**
 * Leases the orders of a peer. Peers learn the request's present state, not that of the order: one message
 * covers several orders.
 */
const leaseOrders = statement<{ readonly peer: RetentionPeer; readonly leaseSeconds: number }, Order>({
  name: 'lease-retention-orders',
  sql: `
with leased as (
  update retention_order set ${lease.take}
  where id in (
    select id from retention_order where peer = :peer and ${lease.isFree}
    order by id limit ${batchRows} for update skip locked
  ) returning id, request_id, fence
)
select leased.id, leased.fence, leased.request_id as "requestId", retention_version as version,
  advanced_days as "advancedDays",
  legal_hold_at is not null as held,
  case when erased_at is not null then 'ALL' when erase_requested_at is not null then 'SECRETS' else 'NOTHING' end
    as erase,
  case when retrieved_at is not null then retrieval_until end as "fetchUntil"
from leased join request on request.id = leased.request_id`,
});

interface Leases {
  readonly id: readonly string[];
  readonly fence: readonly number[];
}

const leasedSql = '(id, fence) in (select * from unnest(:id::bigint[], :fence::integer[]))';
const confirm = statement<Leases>({
  name: 'confirm-retention-orders',
  sql: `delete from retention_order where ${leasedSql}`,
});
const release = statement<Leases>({
  name: 'release-retention-orders',
  sql: `update retention_order set ${lease.end} where ${leasedSql}`,
});

type Order = Omit<retentionContract.RetentionInstruction, 'fetchUntil'> & {
  readonly id: string;
  readonly fence: number;
  readonly fetchUntil: string | null;
};

function toRetained({
  id: _id,
  fence: _fence,
  fetchUntil,
  ...request
}: Order): retentionContract.RetentionInstruction {
  return {
    ...request,
    ...(fetchUntil === null ? {} : { fetchUntil: toInstant(fetchUntil) }),
  };
}

/** Converts a time; one without end, which this service writes nowhere, must not keep the other orders from a peer. */
function toInstant(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? latestInstant : time.toISOString();
}
const latestInstant = '9999-12-31T00:00:00.000Z';

export interface NotifyPeersDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly peers: RetentionPeers;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Notifies generation and notifier of legal holds and erasures until each has confirmed. An order is a row
 * that was committed with the change. A crash before the confirmation leaves the order, and it is sent again:
 * peers accept a repeat.
 */
export async function notifyPeers(deps: NotifyPeersDeps): Promise<void> {
  await Promise.all(peerNames.map((peer) => notifyPeer(peer, deps)));
}

async function notifyPeer(peer: RetentionPeer, { database, peers, logger }: NotifyPeersDeps): Promise<void> {
  for (;;) {
    const rows = await leaseOrders.run(database, { peer, leaseSeconds });
    if (rows.length === 0) return;
    const leases = toColumns(rows, ['id', 'fence']);
    const requests = new Map(rows.map((row) => [row.requestId, toRetained(row)]));
    try {
      await retentionCalls(peers)[peer].retain({ requests: [...requests.values()] });
    } catch (err) {
      logger.warn(
        { err, peer, count: rows.length },
        'peer not notified of legal holds and erasures; will be retried',
      );
      await release.run(database, leases);
      return;
    }
    await confirm.run(database, leases);
  }
}

const findOpenOrders = statement<
  { readonly requestIds: readonly string[] },
  { readonly peer: RetentionPeer }
>({
  name: 'open-retention-orders',
  sql: 'select distinct peer from retention_order where request_id = any(:requestIds::uuid[]) order by peer',
});

/** Returns the peers that have not confirmed the orders of these requests yet. */
export async function pendingPeers(
  database: Pick<Database, 'statement'>,
  requestIds: readonly string[],
): Promise<RetentionPeer[]> {
  return (await findOpenOrders.run(database, { requestIds })).map(({ peer }) => peer);
}
