import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { statement } from '@rubrica/database/statement';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { RequestsDeps } from '../deps.ts';
import { determineRetention, type IntakeKind } from '../request/determine-retention.ts';
import type { Request } from '../request/request.entity.ts';
import { peerNames, type RetentionPeer, retentionCalls } from './retention-peers.ts';

type HoldingsDeps = Pick<RequestsDeps, 'database' | 'logger' | 'peers' | 'rules'>;
type Holdings = OperatorUseCase<'requests.holdings'>;

type Report = OperatorOutput<'requests.holdings'>;
type Holding = Report['requests'][number]['holdings'][number];

const maxRequests = 100;

interface HoldingRow extends Pick<Request, 'id' | 'referenceTransaction' | 'partnerId' | 'status'> {
  readonly notAfter: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly legalHoldAt: string | null;
  readonly legalHoldReason: string | null;
  readonly kind: IntakeKind;
  readonly detail: string | null;
  readonly since: string;
}

/** Finds one row for each thing that is stored, without its content. */
const findHoldings = statement<{ readonly identificationNumber: string }, HoldingRow>({
  name: 'holdings',
  sql: `
select request.id, reference_transaction as "referenceTransaction", partner_id as "partnerId", status,
  not_after as "notAfter", request.created_at as "createdAt", updated_at as "updatedAt",
  legal_hold_at as "legalHoldAt", legal_hold_reason as "legalHoldReason", things.*
from (select * from request where identification_number = :identificationNumber and identification_number <> '' order by created_at desc, id desc limit ${maxRequests + 1})
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

function toIsoText(instant: string) {
  return new Date(instant).toISOString();
}

/**
 * Lists what is stored of an applicant, by request, with its end and the rule; peers are asked for their
 * parts.
 */
export function createHoldings(deps: HoldingsDeps): Holdings {
  return async ({ identificationNumber }) => {
    const rows = await findHoldings.run(deps.database, { identificationNumber });
    const ids = [...new Set(rows.map(({ id }) => id))];
    const listed = ids.slice(0, maxRequests);
    const { parts, unanswered } = await askPeers(deps, listed);
    const requests = listed.map((id) => {
      const ownRows = rows.filter((row) => row.id === id);
      return toRequestReport(ownRows as [HoldingRow, ...HoldingRow[]], parts.get(id) ?? [], deps);
    });
    return { identificationNumber, requests, isComplete: ids.length <= maxRequests, unanswered };
  };
}

type PeerItem = retentionContract.PeerHoldings['items'][number] & { readonly service: RetentionPeer };

async function askPeers({ peers, logger }: HoldingsDeps, requestIds: readonly string[]) {
  const unanswered: RetentionPeer[] = [];
  const ask = async (service: RetentionPeer): Promise<PeerItem[]> => {
    if (requestIds.length === 0) return [];
    try {
      const { items } = await retentionCalls(peers)[service].holding({ requestIds: [...requestIds] });
      return items.map((item) => ({ ...item, service }));
    } catch (err) {
      logger.warn({ err, peer: service }, 'holdings of a peer not received');
      unanswered.push(service);
      return [];
    }
  };
  const items = (await Promise.all(peerNames.map(ask))).flat();
  return { parts: Map.groupBy(items, ({ requestId }) => requestId), unanswered: unanswered.sort() };
}

function toRequestReport(
  rows: readonly [HoldingRow, ...HoldingRow[]],
  peerItems: readonly PeerItem[],
  { rules }: HoldingsDeps,
): Report['requests'][number] {
  const [first] = rows;
  const legalHold = first.legalHoldAt && {
    since: toIsoText(first.legalHoldAt),
    reason: first.legalHoldReason ?? '',
  };
  const due = determineRetention(
    {
      status: first.status,
      endedAt: new Date(first.updatedAt),
      notAfter: first.notAfter === null ? null : new Date(first.notAfter),
      legalHoldAt: first.legalHoldAt === null ? null : new Date(first.legalHoldAt),
    },
    rules.retention,
  );
  const until = (kind: IntakeKind) => ({ rule: due[kind].rule, until: due[kind].at?.toISOString() ?? null });
  const ownHoldings: Holding[] = rows.map(({ kind, detail, since }) => ({
    kind,
    service: 'intake',
    detail,
    since: toIsoText(since),
    ...until(kind),
  }));
  // Data that a peer stores along with the request's own data ends when intake says so.
  const peerHoldings: Holding[] = peerItems.map(({ requestId: _, ...item }) =>
    item.rule === 'AFTER_END' ? { ...item, ...until('REQUEST_DATA') } : item,
  );
  return {
    requestId: first.id,
    referenceTransaction: first.referenceTransaction,
    partnerId: first.partnerId,
    status: first.status,
    isIssued: first.status === 'GENERATED',
    createdAt: toIsoText(first.createdAt),
    legalHold: legalHold || null,
    holdings: [...ownHoldings, ...peerHoldings],
  };
}
