import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import type { Database } from '@rubrica/database';
import type { Logger } from '@rubrica/process';
import { peerNames, type RetentionPeer, type RetentionPeers, retentionCalls } from './retention-peers.ts';

/** Longer than a call may take: after that another copy takes the orders of one that died. */
const leaseSeconds = 30;
const batchRows = 500;

/** Peers are told how the request stands now, not when the order was made: one message covers several orders. */
const lease = `
with leased as (
  update retention_order set lease_until = now() + make_interval(secs => ${leaseSeconds})
  where id in (
    select id from retention_order where peer = $1 and (lease_until is null or lease_until < now())
    order by id limit ${batchRows} for update skip locked
  ) returning id, request_id
)
select leased.id, leased.request_id as "requestId", retention_version as version,
  legal_hold_at is not null as held,
  case when erased_at is not null then 'ALL' when erase_requested_at is not null then 'SECRETS' else 'NOTHING' end
    as erase,
  case when retrieved_at is not null then retrieval_until end as "fetchUntil"
from leased join request on request.id = leased.request_id`;

const confirm = 'delete from retention_order where id = any($1::bigint[])';
const release = 'update retention_order set lease_until = null where id = any($1::bigint[])';

type Row = Omit<retentionContract.Retained, 'fetchUntil'> & {
  readonly id: string;
  readonly fetchUntil: string | null;
};

function toRetained({ id: _, fetchUntil, ...request }: Row): retentionContract.Retained {
  return {
    ...request,
    ...(fetchUntil === null ? {} : { fetchUntil: new Date(fetchUntil).toISOString() }),
  };
}

export interface TellPeersDeps {
  readonly database: Pick<Database, 'execute'>;
  readonly peers: RetentionPeers;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Tells generation and notifier of legal holds and erasures until each has confirmed. An order is a row that was committed
 * with the change; a crash before the confirmation leaves it, and it is sent again: peers accept a repeat.
 */
export async function tellPeers(deps: TellPeersDeps): Promise<void> {
  await Promise.all(peerNames.map((peer) => tellPeer(peer, deps)));
}

async function tellPeer(peer: RetentionPeer, { database, peers, logger }: TellPeersDeps): Promise<void> {
  for (;;) {
    const rows = await database.execute<Row>(lease, [peer]);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const requests = new Map(rows.map((row) => [row.requestId, toRetained(row)]));
    try {
      await retentionCalls(peers)[peer].retain({ requests: [...requests.values()] });
    } catch (err) {
      logger.warn(
        { err, peer, count: ids.length },
        'a peer was not told of legal holds and erasures; the next round tries again',
      );
      await database.execute(release, [ids]);
      return;
    }
    await database.execute(confirm, [ids]);
  }
}

const open = 'select distinct peer from retention_order where request_id = any($1::uuid[]) order by peer';

/** The peers that have not confirmed the orders of these requests yet. */
export async function pendingPeers(
  database: Pick<Database, 'execute'>,
  requestIds: readonly string[],
): Promise<RetentionPeer[]> {
  return (await database.execute<{ peer: RetentionPeer }>(open, [requestIds])).map(({ peer }) => peer);
}
