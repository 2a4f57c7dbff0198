import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { recordAudit } from '@rubrica/audit/log';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import { requestNotFound } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { requestLockCheckSql } from '../evidence/lock/request-lock-check.ts';
import { orderPeersSql } from './erase-statement.ts';
import { notifyPeers, pendingPeers } from './notify-peers.ts';

type LegalHoldDeps = Pick<RequestsDeps, 'database' | 'clock' | 'logger' | 'peers'>;

interface LegalHoldChange {
  readonly requestId: string;
  readonly reason: string;
  readonly operator: OperatorCaller;
  readonly isHeld: boolean;
}

type ChangedHold = Pick<OperatorOutput<'requests.legalHold'>, 'requestId' | 'legalHold'>;

/** Sets a legal hold. A second one takes the newer reason and keeps the first day. */
const setLegalHold = statement<{ requestId: string; now: Date; reason: string }, { readonly since: string }>({
  name: 'set-legal-hold',
  sql: `
with request as (
  update request set legal_hold_at = coalesce(legal_hold_at, :now), legal_hold_reason = :reason,
    retention_version = retention_version + 1 where id = :requestId returning id, legal_hold_at
), told as (${orderPeersSql('request')}), locked as (${requestLockCheckSql('request')})
select legal_hold_at as since from request`,
});

const liftLegalHold = statement<{ requestId: string }, { readonly since: null }>({
  name: 'lift-legal-hold',
  sql: `
with request as (
  update request set legal_hold_at = null, legal_hold_reason = null, retention_version = retention_version + 1
  where id = :requestId and legal_hold_at is not null returning id
), told as (${orderPeersSql('request')}), locked as (${requestLockCheckSql('request')})
select null as since from request`,
});

interface LegalHoldRow {
  readonly status: string;
  readonly since: string | null;
  readonly reason: string | null;
}

const selectLegalHoldSql =
  'select status, legal_hold_at as since, legal_hold_reason as reason from request where id = :requestId';
const findLegalHold = statement<{ readonly requestId: string }, LegalHoldRow>({
  name: 'find-legal-hold',
  sql: selectLegalHoldSql,
});
const lockLegalHold = statement<{ readonly requestId: string }, LegalHoldRow>({
  name: 'lock-legal-hold',
  sql: `${selectLegalHoldSql} for update`,
});

/**
 * Locks a request and returns its state before the change.
 * @throws AppError REQUEST_NOT_FOUND; REQUEST_STATE_NOT_ALLOWED if there is no legal hold to lift
 */
async function loadForUpdate(em: EntityManager, requestId: string, isHeld: boolean): Promise<object> {
  const [found] = await lockLegalHold.run(em, { requestId });
  if (found === undefined) throw requestNotFound();
  if (!isHeld && found.since === null)
    throw new AppError({
      code: 'REQUEST_STATE_NOT_ALLOWED',
      text: createText('operator.notUnderLegalHold'),
    });
  return { requestId, status: found.status, legalHold: toLegalHold(found) };
}

function toIsoText(instant: string): string {
  return new Date(instant).toISOString();
}

/**
 * Sets or lifts a legal hold in one transaction with its audit row and the orders to generation and notifier.
 * After its commit no deadline erases anything here. At the peers that holds from their confirmation.
 */
async function changeLegalHold(
  deps: LegalHoldDeps,
  em: EntityManager,
  { requestId, reason, operator, isHeld }: LegalHoldChange,
): Promise<ChangedHold> {
  const now = deps.clock();
  const [row] = await (isHeld
    ? setLegalHold.run(em, { requestId, now, reason })
    : liftLegalHold.run(em, { requestId }));
  const action = isHeld ? 'requests.legalHold' : 'requests.releaseLegalHold';
  await recordAudit(em, {
    actor: `operator:${operator.email}`,
    action,
    target: `request:${requestId}`,
    reason,
  });
  return { requestId, legalHold: row?.since ? { since: toIsoText(row.since), reason } : null };
}

async function answerChange(
  deps: LegalHoldDeps,
  changed: ChangedHold,
): Promise<OperatorOutput<'requests.legalHold'>> {
  await notifyPeers(deps);
  return { ...changed, pending: await pendingPeers(deps.database, [changed.requestId]) };
}

/** Creates the change that sets a legal hold. @throws AppError REQUEST_NOT_FOUND */
export function createLegalHold(deps: LegalHoldDeps): AdministratorChange<'requests.legalHold', ChangedHold> {
  return {
    loadBefore: (em, { requestId }) => loadForUpdate(em, requestId, true),
    make: (em, input, operator) => changeLegalHold(deps, em, { ...input, operator, isHeld: true }),
    answer: (changed) => answerChange(deps, changed),
    loadPresent: (input) => toCurrentView(deps, input),
  };
}

/**
 * Creates the change that lifts a legal hold.
 * @throws AppError REQUEST_NOT_FOUND; REQUEST_STATE_NOT_ALLOWED if there is no legal hold to lift
 */
export function createReleaseLegalHold(
  deps: LegalHoldDeps,
): AdministratorChange<'requests.releaseLegalHold', ChangedHold> {
  return {
    loadBefore: (em, { requestId }) => loadForUpdate(em, requestId, false),
    make: (em, input, operator) => changeLegalHold(deps, em, { ...input, operator, isHeld: false }),
    answer: (changed) => answerChange(deps, changed),
    loadPresent: (input) => toCurrentView(deps, input),
  };
}

async function toCurrentView(
  { database }: LegalHoldDeps,
  { requestId }: { readonly requestId: string },
): Promise<object> {
  const [found] = await findLegalHold.run(database, { requestId });
  return { requestId, legalHold: toLegalHold(found), pending: await pendingPeers(database, [requestId]) };
}

function toLegalHold(found: LegalHoldRow | undefined) {
  const { since = null, reason = null } = found ?? {};
  return since === null ? null : { since: toIsoText(since), reason: reason ?? '' };
}
