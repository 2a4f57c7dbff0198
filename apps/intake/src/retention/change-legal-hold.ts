import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { recordAudit, statement } from '@rubrica/database';
import { AppError, type OperatorCaller } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { requestNotFound } from '../errors.ts';
import { RequestEntity } from '../request/request.entity.ts';
import { orderPeers } from './erase-statement.ts';
import { pendingPeers, tellPeers } from './tell-peers.ts';

type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'logger' | 'peers'>;
type LegalHold = OperatorUseCase<'requests.legalHold'>;
type ReleaseLegalHold = OperatorUseCase<'requests.releaseLegalHold'>;

interface LegalHoldChange {
  readonly requestId: string;
  readonly reason: string;
  readonly operator: OperatorCaller;
  readonly isHeld: boolean;
}

/** A second legal hold takes the newer reason and keeps the first day. */
const holding = statement<{ requestId: string; now: Date; reason: string }, { readonly since: string }>({
  name: 'set-legal-hold',
  sql: `
with request as (
  update request set legal_hold_at = coalesce(legal_hold_at, :now), legal_hold_reason = :reason,
    retention_version = retention_version + 1 where id = :requestId returning id, legal_hold_at
), told as (${orderPeers('request')})
select legal_hold_at as since from request`,
});

const lifting = statement<{ requestId: string }, { readonly since: null }>({
  name: 'lift-legal-hold',
  sql: `
with request as (
  update request set legal_hold_at = null, legal_hold_reason = null, retention_version = retention_version + 1
  where id = :requestId and legal_hold_at is not null returning id
), told as (${orderPeers('request')})
select null as since from request`,
});

/**
 * Sets or lifts a legal hold in one transaction with its audit row and what generation and notifier have to hear.
 * From its commit nothing that is on a clock is erased here; with the peers, from their confirmation.
 * @throws AppError REQUEST_NOT_FOUND; REQUEST_STATE_NOT_ALLOWED where there is no legal hold to lift
 */
async function changeLegalHold(
  deps: Needs,
  { requestId, reason, operator, isHeld }: LegalHoldChange,
): Promise<OperatorOutput<'requests.legalHold'>> {
  const since = await deps.database.transaction(async (em) => {
    const now = deps.clock();
    const rows = await (isHeld
      ? holding.run(em, { requestId, now, reason })
      : lifting.run(em, { requestId }));
    if (rows.length === 0) throw await refusal(em, requestId);
    const action = isHeld ? 'requests.legalHold' : 'requests.releaseLegalHold';
    await recordAudit(em, {
      actor: `operator:${operator.email}`,
      action,
      target: `request:${requestId}`,
      reason,
    });
    return rows[0]?.since ?? null;
  });
  await tellPeers(deps);
  return {
    requestId,
    legalHold: since === null ? null : { since: new Date(since).toISOString(), reason },
    pending: await pendingPeers(deps.database, [requestId]),
  };
}

async function refusal(em: EntityManager, requestId: string): Promise<AppError> {
  const known = await em.count(RequestEntity, { id: requestId });
  if (known === 0) return requestNotFound();
  return new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    publicMessage: 'The request is under no legal hold',
  });
}

export function createLegalHold(deps: Needs): LegalHold {
  return (input, { caller: operator }) => changeLegalHold(deps, { ...input, operator, isHeld: true });
}

export function createReleaseLegalHold(deps: Needs): ReleaseLegalHold {
  return (input, { caller: operator }) => changeLegalHold(deps, { ...input, operator, isHeld: false });
}
