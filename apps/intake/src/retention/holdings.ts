import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { type IntakeKind, retentionOf } from '../request/retention-of.ts';
import { peerNames, type RetentionPeer, retentionCalls } from './retention-peers.ts';

type Needs = Pick<IntakeDeps, 'database' | 'logger' | 'peers' | 'rules'>;
type Holdings = OperatorUseCase<'requests.holdings'>;

type Report = OperatorOutput<'requests.holdings'>;
type Holding = Report['requests'][number]['holdings'][number];

const mostRequests = 100;

/** One row per thing that is there; the content of none. */
const text = `
select request.id, reference_transaction, partner_id, status, not_after, request.created_at, updated_at,
  legal_hold_at, legal_hold_reason, things.*
from (select * from request where identification_number = $1 order by created_at desc, id desc limit ${mostRequests + 1})
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
order by request.created_at desc, request.id desc, things.since`;

interface Row {
  readonly id: string;
  readonly reference_transaction: string;
  readonly partner_id: string;
  readonly status: Status;
  readonly not_after: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly legal_hold_at: string | null;
  readonly legal_hold_reason: string | null;
  readonly kind: IntakeKind;
  readonly detail: string | null;
  readonly since: string;
}

function iso(instant: string) {
  return new Date(instant).toISOString();
}

/** What is kept of an applicant, by request, with its end and the rule; peers are asked for their parts. */
export function createHoldings(deps: Needs): Holdings {
  return async ({ identificationNumber }) => {
    const params = [identificationNumber];
    const rows = await deps.database.statement<Row>({ name: 'holdings', text, params });
    const ids = [...new Set(rows.map(({ id }) => id))];
    const shown = ids.slice(0, mostRequests);
    const { parts, unanswered } = await askPeers(deps, shown);
    const requests = shown.map((id) => {
      const own = rows.filter((row) => row.id === id);
      return toHeld(own as [Row, ...Row[]], parts.get(id) ?? [], deps);
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
  rows: readonly [Row, ...Row[]],
  ofPeers: readonly PeerItem[],
  { rules }: Needs,
): Report['requests'][number] {
  const [first] = rows;
  const legalHold = first.legal_hold_at && {
    since: iso(first.legal_hold_at),
    reason: first.legal_hold_reason ?? '',
  };
  const due = retentionOf(
    {
      status: first.status,
      endedAt: new Date(first.updated_at),
      notAfter: first.not_after === null ? null : new Date(first.not_after),
      legalHoldAt: first.legal_hold_at === null ? null : new Date(first.legal_hold_at),
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
    referenceTransaction: first.reference_transaction,
    partnerId: first.partner_id,
    status: first.status,
    isIssued: first.status === 'GENERATED',
    createdAt: iso(first.created_at),
    legalHold: legalHold || null,
    holdings: [...own, ...theirs],
  };
}
