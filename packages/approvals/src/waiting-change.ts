import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ApprovalService } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database/connection';
import { guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { Transaction } from './administrator-change.ts';
import type { Administrators } from './administrators.ts';
import { type ApprovalLogForm, recordApprovals } from './approval-log.ts';
import type { ProposedChange } from './proposal.ts';

export interface ApprovalDeps {
  readonly service: ApprovalService;
  readonly database: Pick<Database, 'transaction' | 'statement'>;
  /** Guard of the tables, among them `approval` and `alone_change`. */
  readonly rows: Pick<RowGuard, 'protect' | 'isIntact' | 'hasMac' | 'reportFailed'>;
  readonly clock: Clock;
  /** Creates a UUID v7. */
  readonly newId: () => string;
  readonly administrators: Administrators;
  /** Form of the service's audit log; default: the standard one. */
  readonly log?: ApprovalLogForm;
}

/** Stored form; instants are text, as SQL returns them. */
export interface WaitingChange extends ProposedChange {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Stored form with the raw row, against which its MAC is checked. */
interface StoredChange extends WaitingChange {
  readonly stored: Readonly<Record<string, unknown>>;
}

/** Table of waiting changes. Every field is guarded: access to the database alone cannot propose a change. */
export const approvalTable = guardedSqlTable('approval', [
  'procedure',
  'input',
  'before',
  'after',
  'digest',
  'proposedBy',
  'proposerEmail',
  'reason',
  'createdAt',
  'expiresAt',
]);

interface NewRow extends Omit<ProposedChange, 'input' | 'before' | 'after'> {
  readonly id: string;
  readonly input: string;
  readonly before: string | null;
  readonly after: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly version: number;
  readonly mac: string;
}

const columns = `id, procedure, input, before, after, digest, proposed_by as "proposedBy",
  proposer_email as "proposerEmail", reason, created_at as "createdAt", expires_at as "expiresAt",
  to_jsonb(approval) as stored`;

interface Now {
  readonly now: Date;
}

/** Statements on waiting changes. */
/** Rows read at once: the role of the database can add rows of a megabyte each. */
export const pageRows = 20;

export const approvalRows = {
  /**
   * Inserts a change. The answer is empty if there are `most` changes, `mostOwn` of the same proposer, or the same
   * change waits already.
   */
  add: statement<NewRow & { readonly most: number; readonly mostOwn: number }>({
    name: 'add-approval',
    sql: `
insert into approval (id, procedure, input, before, after, digest, proposed_by, proposer_email, reason, created_at, expires_at,
  version, mac)
select :id, :procedure, :input::jsonb, :before::jsonb, :after::jsonb, :digest, :proposedBy, :proposerEmail, :reason,
  :createdAt, :expiresAt, :version, :mac
where (select count(*) from approval) < :most::int
  and (select count(*) from approval where proposed_by = :proposedBy) < :mostOwn::int
on conflict (digest) do nothing returning 1`,
  }),

  get: statement<Now & { readonly id: string }, StoredChange>({
    name: 'get-approval',
    sql: `select ${columns} from approval where id = :id and expires_at > :now`,
  }),

  /** Finds the same change, whenever it was proposed. */
  same: statement<{ readonly digest: string }, StoredChange>({
    name: 'same-approval',
    sql: `select ${columns} from approval where digest = :digest`,
  }),

  /** Removes a change. If two decide at once, the second gets no row. */
  remove: statement<{ readonly id: string }>({
    name: 'remove-approval',
    sql: 'delete from approval where id = :id returning 1',
  }),

  removeAll: statement<{ readonly ids: readonly string[] }>({
    name: 'remove-approvals',
    sql: 'delete from approval where id = any(:ids::uuid[])',
  }),

  /** Lists all changes, oldest first, including expired ones. */
  all: statement<{ readonly after: string; readonly limit: number }, Pick<StoredChange, 'id' | 'stored'>>({
    name: 'all-approvals',
    sql: 'select id, to_jsonb(approval) as stored from approval where id > :after::uuid order by id limit :limit',
  }),

  /** Lists open changes, newest first: ids are UUID v7. */
  list: statement<Now & { readonly before: string | null; readonly limit: number }, StoredChange>({
    name: 'list-approvals',
    sql: `select ${columns} from approval
      where expires_at > :now and (:before::uuid is null or id < :before::uuid) order by id desc limit :limit`,
  }),
} as const;

/**
 * Reads a waiting change; a row that this service has not written is none.
 * @throws AppError REQUEST_NOT_FOUND
 */
export async function readWaiting(
  { clock, rows }: Pick<ApprovalDeps, 'clock' | 'rows'>,
  target: StatementTarget,
  id: string,
): Promise<WaitingChange> {
  const [row] = await approvalRows.get.run(target, { id: parseUuid(id), now: clock() });
  if (row === undefined || !rows.isIntact('approval', row.stored)) throw approvalGone();
  return row;
}

/** Extracts the UUID from `<service>.<UUID>`. */
export function parseUuid(id: string): string {
  return id.slice(id.indexOf('.') + 1);
}

interface Decision {
  readonly row: WaitingChange;
  readonly operator: OperatorCaller;
  readonly reason: string | undefined;
  readonly action: 'approvals.approve' | 'approvals.reject';
  /** Passkey that confirmed the decision. */
  readonly factorId?: string | undefined;
}

/**
 * Ends a waiting change in the transaction of its decision. If two decide at once, the second finds nothing. A decided
 * change leaves only its entry in the audit log, because an input may hold personal data.
 * @throws AppError REQUEST_NOT_FOUND
 */
export async function endWaiting(
  { log = 'standard' }: Pick<ApprovalDeps, 'log'>,
  em: Transaction,
  { row, operator, reason, action, factorId }: Decision,
): Promise<void> {
  const removed = await approvalRows.remove.run(em, { id: row.id });
  if (removed.length === 0) throw approvalGone();
  const { procedure, digest, proposerEmail } = row;
  const details = {
    procedure,
    digest,
    proposedBy: `operator:${proposerEmail}`,
    ...(factorId !== undefined && { passkey: factorId }),
  };
  const actor = `operator:${operator.email}`;
  await recordApprovals(em, log, [{ actor, action, target: `approval:${row.id}`, reason, details }]);
}

function approvalGone(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND', text: createText('approval.gone') });
}

/** Converts a waiting change to the view of administrators. */
export function toApproval(
  service: ApprovalService,
  row: WaitingChange,
): Awaited<ReturnType<OperatorUseCase<'approvals.get'>>> {
  const { id, procedure, input, before, after, proposerEmail, reason, createdAt, expiresAt } = row;
  return {
    id: `${service}.${id}`,
    change: { procedure, input: { ...input } },
    before: before === null ? null : { ...before },
    after: { ...after },
    proposedBy: proposerEmail,
    reason,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
