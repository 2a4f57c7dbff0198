import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ApprovalService } from '@rubrica/contracts/operators/approvals';
import type { AdministratorPathOf } from '@rubrica/contracts/operators/procedures';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
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

export interface KeptOptions {
  readonly service: ApprovalService;
  readonly database: Pick<Database, 'transaction' | 'statement'>;
  /** Of the table `approval` among others. */
  readonly rows: Pick<RowGuard, 'protect' | 'isIntact' | 'hasMac' | 'reportFailed'>;
  readonly clock: Clock;
  /** A new UUID v7. */
  readonly newId: () => string;
  readonly administrators: Administrators;
  /** Which form the service's audit log has; the standard one where nothing is said. */
  readonly log?: ApprovalLogForm;
}

export type AnyChange = AdministratorChange<AdministratorPathOf<ApprovalService>>;
export type AnyChanges = Readonly<Record<string, AnyChange>>;
type Approval = Awaited<ReturnType<OperatorUseCase<'approvals.get'>>>;

const openMs = 72 * HOUR_MS;
/** That wait at once in one service, and those of one administrator, so that one leaves room for the others. */
const mostOpen = 500;
const mostOwn = 50;

/** The one of before where the same is proposed again. @returns the id of what waits */
export async function keep(options: KeptOptions, em: Transaction, proposal: ProposedChange): Promise<string> {
  const { procedure, digest, reason } = proposal;
  const [same] = await approvalRows.same.run(em, { digest });
  if (same !== undefined) {
    const isOpen = new Date(same.expiresAt) > options.clock();
    if (isOpen && options.rows.isIntact('approval', same.stored)) return same.id;
    // Nobody has proposed it, or its time is over: it must not stand in the way of this one.
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

/** Tells whether a proposal found no room among those that wait. */
export function isWithoutRoom(error: unknown): boolean {
  return error instanceof AppError && error.text?.id === 'approval.tooManyOpen';
}

/**
 * Removes all rows that this service has not written: they take nobody's place. Each page is committed, so that a proposal
 * which is refused afterwards does not put them back.
 * @returns whether there were any
 */
export async function removeForged({ rows, database }: KeptOptions): Promise<boolean> {
  let removed = 0;
  for (;;) {
    const page = await approvalRows.all.run(database, { limit: 2 * mostOpen });
    const forged = page.filter(({ stored }) => !rows.hasMac('approval', stored));
    const [first] = forged;
    if (first === undefined) return removed > 0;
    rows.reportFailed({ table: 'approval', id: first.id });
    await approvalRows.removeAll.run(database, { ids: forged.map(({ id }) => id) });
    removed += forged.length;
  }
}

async function add(
  { clock, rows }: KeptOptions,
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
    most: mostOpen,
    mostOwn,
  });
  return added.length === 1;
}

/** What this service has not written is no change that waits. @throws AppError REQUEST_NOT_FOUND */
export async function readKept(
  { clock, rows }: KeptOptions,
  target: StatementTarget,
  id: string,
): Promise<ApprovalRow> {
  const [row] = await approvalRows.get.run(target, { id: uuidOf(id), now: clock() });
  return row !== undefined && rows.isIntact('approval', row.stored) ? row : gone();
}

export interface Decision {
  readonly operator: OperatorCaller;
  readonly reason: string | undefined;
  readonly action: `approvals.${string}`;
  /** The passkey by which it was confirmed. */
  readonly factorId?: string | undefined;
}

/**
 * Of two who decide at once the second finds nothing any more. What was decided leaves nothing but its entry in the audit
 * log: an input may hold personal data.
 */
export async function endKept(
  options: KeptOptions,
  em: Transaction,
  { row, operator, reason, action, factorId }: Decision & { readonly row: ApprovalRow },
): Promise<void> {
  const removed = await approvalRows.remove.run(em, { id: row.id });
  if (removed.length === 0) gone();
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

export function createList(options: KeptOptions): OperatorUseCase<'approvals.list'> {
  const { service, database, clock, rows: guard } = options;
  return async ({ cursor, limit }) => {
    const before = cursor === undefined ? null : uuidOf(cursor);
    const found = await approvalRows.list.run(database, { before, now: clock(), limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      // The cursor goes by what was read, so that a forged row hides nothing that comes after it.
      items: page
        .filter(({ stored }) => guard.isIntact('approval', stored))
        .map((row) => shortened(toApproval(service, row))),
      nextCursor: found.length > limit && last ? `${service}.${last.id}` : null,
      unanswered: [],
    };
  };
}

const mostShown = 1_000;

/** A list of pictures would not fit into one answer; `approvals.get` gives all of one. */
function shortened(approval: Approval): Approval {
  const { change, before, after } = approval;
  return {
    ...approval,
    change: { ...change, input: cut(change.input) },
    before: before && cut(before),
    after: cut(after),
  };
}

function cut(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > mostShown;
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    isLong(value) ? `${value.slice(0, mostShown)}…` : value,
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

function note({ log = 'standard' }: KeptOptions, em: Transaction, entry: AuditEntry) {
  return recordApprovals(em, log, [entry]);
}

function uuidOf(id: string): string {
  return id.slice(id.indexOf('.') + 1);
}

function gone(): never {
  throw new AppError({
    code: 'REQUEST_NOT_FOUND',
    text: createText('approval.gone'),
  });
}

export function refusal(text: ErrorText): AppError {
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text });
}
