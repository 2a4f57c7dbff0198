import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { statement } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../deps.ts';
import type { Request } from '../request/request.entity.ts';
import { type IntakeKind, retentionOf } from '../request/retention-of.ts';
import { peerNames, type RetentionPeer, retentionCalls } from './retention-peers.ts';

type Needs = Pick<RequestsDeps, 'database' | 'logger' | 'peers' | 'rules'>;
type Holdings = OperatorUseCase<'requests.holdings'>;

type Report = OperatorOutput<'requests.holdings'>;
type Holding = Report['requests'][number]['holdings'][number];

const mostRequests = 100;

interface Held extends Pick<Request, 'id' | 'referenceTransaction' | 'partnerId' | 'status'> {
  readonly notAfter: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly legalHoldAt: string | null;
  readonly legalHoldReason: string | null;
  readonly kind: IntakeKind;
  readonly detail: string | null;
  readonly since: string;
}

/** One row per thing that is there; the content of none. */
const find = statement<{ readonly identificationNumber: string }, Held>({
  name: 'holdings',
  sql: `
select request.id, reference_transaction as "referenceTransaction", partner_id as "partnerId", status,
  not_after as "notAfter", request.created_at as "createdAt", updated_at as "updatedAt",
  legal_hold_at as "legalHoldAt", legal_hold_reason as "legalHoldReason", things.*
from (select * from request where identification_number = :identificationNumber and identification_number <> '' order by created_at desc, id desc limit ${mostRequests + 1})
  as request
cross join lateral (
  select 'REQUEST_DATA' as kind, null as detail, request.created_at as since
  union all select 'PASSWORD', null, request.created_at where sealed_password is not null
  union all select 'LINK', null, coalesce(link_sent_at, request.created_at) where claim_token_sha256 is not null
  union all
  select 'EVIDENCE', concat_ws(' ', evidence_type, media_type, size || ' bytes', validator_url), request.created_at
  from evidence where request_id = request.id
  union all
  select 'MESSAGES', channel || ' ' || template, message.created_at from message
  where request_id = request.id and recipient <> ''
  union all
  select 'TERMS_ACCEPTANCE', 'version ' || terms_version, at from terms_acceptance where request_id = request.id
) as things
order by request.created_at desc, request.id desc, things.since`,
});

function iso(instant: string) {
  return new Date(instant).toISOString();
}

/** What is kept of an applicant, by request, with its end and the rule; peers are asked for their parts. */
export function createHoldings(deps: Needs): Holdings {
  return async ({ identificationNumber }) => {
    const rows = await find.run(deps.database, { identificationNumber });
    const ids = [...new Set(rows.map(({ id }) => id))];
    const shown = ids.slice(0, mostRequests);
    const { parts, unanswered } = await askPeers(deps, shown);
    const requests = shown.map((id) => {
      const own = rows.filter((row) => row.id === id);
      return toHeld(own as [Held, ...Held[]], parts.get(id) ?? [], deps);
    });
    return { identificationNumber, requests, isComplete: ids.length <= mostRequests, unanswered };
  };
}

type PeerItem = retentionContract.PeerHoldings['items'][number] & { readonly service: RetentionPeer };

async function askPeers({ peers, logger }: Needs, requestIds: readonly string[]) {
  const unanswered: RetentionPeer[] = [];
  const ask = async (service: RetentionPeer): Promise<PeerItem[]> => {
    if (requestIds.length === 0) return [];
    try {
      const { items } = await retentionCalls(peers)[service].holding({ requestIds: [...requestIds] });
      return items.map((item) => ({ ...item, service }));
    } catch (err) {
      logger.warn({ err, peer: service }, 'a peer could not say what it holds');
      unanswered.push(service);
      return [];
    }
  };
  const items = (await Promise.all(peerNames.map(ask))).flat();
  return { parts: Map.groupBy(items, ({ requestId }) => requestId), unanswered: unanswered.sort() };
}

function toHeld(
  rows: readonly [Held, ...Held[]],
  ofPeers: readonly PeerItem[],
  { rules }: Needs,
): Report['requests'][number] {
  const [first] = rows;
  const legalHold = first.legalHoldAt && {
    since: iso(first.legalHoldAt),
    reason: first.legalHoldReason ?? '',
  };
  const due = retentionOf(
    {
      status: first.status,
      endedAt: new Date(first.updatedAt),
      notAfter: first.notAfter === null ? null : new Date(first.notAfter),
      legalHoldAt: first.legalHoldAt === null ? null : new Date(first.legalHoldAt),
    },
    rules.retention,
  );
  const until = (kind: IntakeKind) => ({ rule: due[kind].rule, until: due[kind].at?.toISOString() ?? null });
  const own: Holding[] = rows.map(({ kind, detail, since }) => ({
    kind,
    service: 'intake',
    detail,
    since: iso(since),
    ...until(kind),
  }));
  // What a peer keeps along with the request's own data ends when intake says so.
  const theirs: Holding[] = ofPeers.map(({ requestId: _, ...item }) =>
    item.rule === 'AFTER_END' ? { ...item, ...until('REQUEST_DATA') } : item,
  );
  return {
    requestId: first.id,
    referenceTransaction: first.referenceTransaction,
    partnerId: first.partnerId,
    status: first.status,
    isIssued: first.status === 'GENERATED',
    createdAt: iso(first.createdAt),
    legalHold: legalHold || null,
    holdings: [...own, ...theirs],
  };
}
