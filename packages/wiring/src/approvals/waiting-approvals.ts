import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ServiceAdministratorPath } from '@rubrica/contracts/operators/procedures';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type { ApprovalService } from '@rubrica/contracts/shared/enumerations';
import {
  type ApprovalLogForm,
  type ApprovalRow,
  type AuditEntry,
  approvalRows,
  type Database,
  type ProposedChange,
  type RowGuard,
  recordApprovals,
  type StatementTarget,
} from '@rubrica/database';
import { AppError, type Clock, type OperatorCaller } from '@rubrica/process';
import type { OperatorUseCase } from '../calls/handlers.ts';
import type { AdministratorChange, Transaction } from './administrator-change.ts';
import type { Administrators } from './administrators.ts';

export interface WaitingOptions {
  readonly service: ApprovalService;
  readonly database: Pick<Database, 'transaction' | 'statement'>;
  /** Guard of the tables, among them `approval`. */
  readonly rows: Pick<RowGuard, 'protect' | 'isIntact' | 'hasMac' | 'reportFailed'>;
  readonly clock: Clock;
  /** Creates a UUID v7. */
  readonly newId: () => string;
  readonly administrators: Administrators;
  /** Form of the service's audit log; default: the standard one. */
  readonly log?: ApprovalLogForm;
}

export type AnyChange = AdministratorChange<ServiceAdministratorPath<ApprovalService>>;
export type AnyChanges = Readonly<Record<string, AnyChange>>;
type Approval = Awaited<ReturnType<OperatorUseCase<'approvals.get'>>>;

const openMs = 72 * HOUR_MS;
/** Limits of waiting changes in one service, and of one administrator, so that nobody can use up all of them. */
const maxOpen = 500;
const maxOwn = 50;

/**
 * Stores a proposal, or finds an equal waiting one.
 * @returns the id of the waiting change
 */
export async function storeProposal(
  options: WaitingOptions,
  em: Transaction,
  proposal: ProposedChange,
): Promise<string> {
  const { procedure, digest, reason } = proposal;
  const [same] = await approvalRows.same.run(em, { digest });
  if (same !== undefined) {
    const isOpen = new Date(same.expiresAt) > options.clock();
    if (isOpen && options.rows.isIntact('approval', same.stored)) return same.id;
    // It was not written by the service, or has expired: it must not block this one.
    await approvalRows.remove.run(em, { id: same.id });
  }
  const id = options.newId();
  if (!(await add(options, em, { id, proposal }))) {
    const [meanwhile] = await approvalRows.same.run(em, { digest });
    if (meanwhile !== undefined && options.rows.isIntact('approval', meanwhile.stored)) return meanwhile.id;
    throw refusal(createText('approval.tooManyOpen'));
  }
  await note(options, em, {
    actor: `operator:${proposal.proposerEmail}`,
    action: 'approvals.propose',
    target: `approval:${id}`,
    reason: reason ?? undefined,
    details: { procedure, digest },
  });
  return id;
}

/** Tells whether a proposal was refused because too many changes wait. */
export function isWithoutRoom(error: unknown): boolean {
  return error instanceof AppError && error.text?.id === 'approval.tooManyOpen';
}

/**
 * Removes all rows that this service has not written, which use up the limit. Each page is committed, so that a
 * proposal that is refused afterwards does not restore them.
 * @returns true if there were any
 */
export async function removeForged({ rows, database }: WaitingOptions): Promise<boolean> {
  let removed = 0;
  for (;;) {
    const page = await approvalRows.all.run(database, { limit: 2 * maxOpen });
    const forged = page.filter(({ stored }) => !rows.hasMac('approval', stored));
    const [first] = forged;
    if (first === undefined) return removed > 0;
    rows.reportFailed({ table: 'approval', id: first.id });
    await approvalRows.removeAll.run(database, { ids: forged.map(({ id }) => id) });
    removed += forged.length;
  }
}

async function add(
  { clock, rows }: WaitingOptions,
  em: Transaction,
  { id, proposal }: { readonly id: string; readonly proposal: ProposedChange },
): Promise<boolean> {
  const createdAt = clock();
  const expiresAt = new Date(createdAt.getTime() + openMs);
  const row = { ...proposal, id, createdAt, expiresAt };
  const { input, before, after } = proposal;
  const added = await approvalRows.add.run(em, {
    ...row,
    ...rows.protect('approval', row),
    input: JSON.stringify(input),
    before: before === null ? null : JSON.stringify(before),
    after: JSON.stringify(after),
    most: maxOpen,
    mostOwn: maxOwn,
  });
  return added.length === 1;
}

/**
 * Reads a waiting change; a row that this service has not written is none.
 * @throws AppError REQUEST_NOT_FOUND
 */
export async function readWaiting(
  { clock, rows }: WaitingOptions,
  target: StatementTarget,
  id: string,
): Promise<ApprovalRow> {
  const [row] = await approvalRows.get.run(target, { id: parseUuid(id), now: clock() });
  return row !== undefined && rows.isIntact('approval', row.stored) ? row : approvalGone();
}

export interface Decision {
  readonly operator: OperatorCaller;
  readonly reason: string | undefined;
  readonly action: `approvals.${string}`;
  /** Passkey that confirmed the decision. */
  readonly factorId?: string | undefined;
}

/**
 * Ends a waiting change. If two decide at once, the second finds nothing. A decided change leaves only its entry in the
 * audit log, because an input may hold personal data.
 */
export async function endWaiting(
  options: WaitingOptions,
  em: Transaction,
  { row, operator, reason, action, factorId }: Decision & { readonly row: ApprovalRow },
): Promise<void> {
  const removed = await approvalRows.remove.run(em, { id: row.id });
  if (removed.length === 0) approvalGone();
  const { procedure, digest, proposerEmail } = row;
  await note(options, em, {
    actor: `operator:${operator.email}`,
    action,
    target: `approval:${row.id}`,
    reason,
    details: {
      procedure,
      digest,
      proposedBy: `operator:${proposerEmail}`,
      ...(factorId !== undefined && { passkey: factorId }),
    },
  });
}

export function createList(options: WaitingOptions): OperatorUseCase<'approvals.list'> {
  const { service, database, clock, rows: guard } = options;
  return async ({ cursor, limit }) => {
    const before = cursor === undefined ? null : parseUuid(cursor);
    const found = await approvalRows.list.run(database, { before, now: clock(), limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      // The cursor follows the rows that were read, so that a forged row hides none of the later ones.
      items: page
        .filter(({ stored }) => guard.isIntact('approval', stored))
        .map((row) => shorten(toApproval(service, row))),
      nextCursor: found.length > limit && last ? `${service}.${last.id}` : null,
      unanswered: [],
    };
  };
}

const maxShown = 1_000;

/** Shortens long values: a list of pictures would not fit into one answer; `approvals.get` returns one completely. */
function shorten(approval: Approval): Approval {
  const { change, before, after } = approval;
  return {
    ...approval,
    change: { ...change, input: cut(change.input) },
    before: before && cut(before),
    after: cut(after),
  };
}

function cut(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > maxShown;
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    isLong(value) ? `${value.slice(0, maxShown)}…` : value,
  ]);
  return Object.fromEntries(entries);
}

export function toApproval(service: ApprovalService, row: ApprovalRow): Approval {
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

function note({ log = 'standard' }: WaitingOptions, em: Transaction, entry: AuditEntry) {
  return recordApprovals(em, log, [entry]);
}

function parseUuid(id: string): string {
  return id.slice(id.indexOf('.') + 1);
}

function approvalGone(): never {
  throw new AppError({
    code: 'REQUEST_NOT_FOUND',
    text: createText('approval.gone'),
  });
}

export function refusal(text: ErrorText): AppError {
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text });
}
