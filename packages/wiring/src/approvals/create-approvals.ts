import type { ApprovalService } from '@rubrica/contracts/operators/approvals';
import { type AdministratorPathOf, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import {
  type ApprovalRow,
  approvalRows,
  type Database,
  keyset,
  recordAudit,
  type StatementTarget,
} from '@rubrica/database';
import { AppError, type Clock, type OperatorCaller } from '@rubrica/process';
import type { OperatorUseCase } from '../calls/handlers.ts';
import type {
  AdministratorChange,
  AdministratorChanges,
  Administrators,
  Transaction,
} from './administrator-change.ts';
import { isIntact, isOfRecord, proposalOf, takesTwo } from './proposal.ts';

export interface ApprovalsOptions<Service extends ApprovalService> {
  readonly service: Service;
  readonly database: Pick<Database, 'transaction' | 'statement'>;
  readonly clock: Clock;
  /** A new UUID v7. */
  readonly newId: () => string;
  readonly administrators: Administrators;
  readonly changes: AdministratorChanges<Service>;
}

type AnyChange = AdministratorChange<AdministratorPathOf<ApprovalService>>;
type Approval = Awaited<ReturnType<OperatorUseCase<'approvals.get'>>>;
type ApprovalHandlers = {
  readonly [Path in
    | 'approvals.list'
    | 'approvals.get'
    | 'approvals.approve'
    | 'approvals.reject']: OperatorUseCase<Path>;
};
type ChangeHandlers<Service extends ApprovalService> = {
  readonly [Path in AdministratorPathOf<Service>]: OperatorUseCase<Path>;
};

const openMs = 72 * HOUR_MS;
/** That wait at once in one service. */
const mostOpen = 500;

/**
 * The use cases of a service's administrators: each change is made at once where its row lets one administrator do so,
 * and otherwise waits whole until another one has approved it. Both are asked for in the transaction of the change.
 */
export function createApprovals<Service extends ApprovalService>(
  options: ApprovalsOptions<Service>,
): ApprovalHandlers & ChangeHandlers<Service> {
  const changes = options.changes as unknown as Readonly<Record<string, AnyChange>>;
  const handlers = Object.entries(changes).map(([path, change]) => [path, proposable(options, path, change)]);
  return {
    ...(Object.fromEntries(handlers) as ChangeHandlers<Service>),
    'approvals.list': createList(options),
    'approvals.get': createGet(options),
    'approvals.approve': createApprove(options, changes),
    'approvals.reject': createReject(options),
  };
}

type Options = Omit<ApprovalsOptions<ApprovalService>, 'changes'>;

/** The change as an operator asks for it: made, or kept for another administrator. */
function proposable(options: Options, path: string, change: AnyChange) {
  return async (input: never, { caller: operator }: { readonly caller: OperatorCaller }) => {
    const decided = await options.database.transaction(async (em) => {
      await options.administrators.assert(em, operator);
      const before = await change.before(em, input);
      const proposal = proposalOf({ path: path as never, input, before, operator });
      if (!takesTwo(proposal)) return { answer: await change.make(em, input, operator) };
      return { id: await propose(options, em, proposal) };
    });
    if (decided.answer !== undefined) return decided.answer();
    return { ...(await change.asItIs(input)), approvalId: `${options.service}.${decided.id}` };
  };
}

async function propose(
  { administrators, clock, newId }: Options,
  em: Transaction,
  proposal: ReturnType<typeof proposalOf>,
): Promise<string> {
  if ((await administrators.count(em)) < 2)
    throw refusal('This takes a second administrator, and there is none: name another one first');
  const createdAt = clock();
  await approvalRows.forgetExpired.run(em, { now: createdAt });
  const { input, before, after, ...plain } = proposal;
  const [row] = await approvalRows.add.run(em, {
    ...plain,
    id: newId(),
    input: JSON.stringify(input),
    before: before === null ? null : JSON.stringify(before),
    after: JSON.stringify(after),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + openMs),
    most: mostOpen,
  });
  if (row === undefined) throw refusal('Too many changes wait for an administrator: decide on them first');
  const { procedure, digest, reason } = proposal;
  await recordAudit(em, {
    actor: `operator:${proposal.proposerEmail}`,
    action: 'approvals.propose',
    target: `approval:${row.id}`,
    reason: reason ?? undefined,
    details: { procedure, digest },
  });
  return row.id;
}

function createList({ service, database, clock }: Options): OperatorUseCase<'approvals.list'> {
  const byId = keyset();
  return async ({ cursor, limit }) => {
    const before = cursor === undefined ? null : byId.readCursor(cursor).id;
    const rows = await approvalRows.list.run(database, { before, now: clock(), limit: limit + 1 });
    return byId.page(rows, limit, (row) => toApproval(service, row));
  };
}

function createGet(options: Options): OperatorUseCase<'approvals.get'> {
  return async ({ id }) => toApproval(options.service, await read(options, options.database, id));
}

/** @throws AppError REQUEST_NOT_FOUND, FORBIDDEN, REQUEST_STATE_NOT_ALLOWED, or as the change itself */
function createApprove(
  options: Options,
  changes: Readonly<Record<string, AnyChange>>,
): OperatorUseCase<'approvals.approve'> {
  const { service, database, administrators } = options;
  return async ({ id, reason }, { caller: operator }) => {
    const { row, answer } = await database.transaction(async (em) => {
      await administrators.assert(em, operator);
      const row = await read(options, em, id);
      const change = changes[row.procedure];
      if (change === undefined || !isIntact(row))
        throw refusal('This is not the change that was proposed: reject it and propose it anew');
      if (row.proposedBy === operator.operatorId)
        throw new AppError({
          code: 'FORBIDDEN',
          publicMessage: 'You have proposed this change yourself: another administrator has to approve it',
        });
      if (!(await administrators.isAdministrator(em, row.proposedBy)))
        throw refusal(`${row.proposerEmail}, who proposed it, is no enabled administrator any more`);
      const schema = operatorProcedures[row.procedure as AdministratorPathOf<ApprovalService>].input;
      const input = schema.parse(row.input) as never;
      if (!isOfRecord(row, await change.before(em, input)))
        throw refusal('What it changes is not as it was when the change was proposed: propose it anew');
      await decide(em, row, { operator, reason, action: 'approvals.approve' });
      return { row, answer: await change.make(em, input, operator) };
    });
    return { ...toApproval(service, row), result: await answer() };
  };
}

/** Who has proposed a change may take it back by this. @throws AppError REQUEST_NOT_FOUND, FORBIDDEN */
function createReject(options: Options): OperatorUseCase<'approvals.reject'> {
  return ({ id, reason }, { caller: operator }) =>
    options.database.transaction(async (em) => {
      await options.administrators.assert(em, operator);
      const row = await read(options, em, id);
      await decide(em, row, { operator, reason, action: 'approvals.reject' });
      return toApproval(options.service, row);
    });
}

async function read({ clock }: Options, target: StatementTarget, id: string): Promise<ApprovalRow> {
  const [row] = await approvalRows.get.run(target, { id: id.slice(id.indexOf('.') + 1), now: clock() });
  return row ?? gone();
}

interface Decision {
  readonly operator: OperatorCaller;
  readonly reason: string | undefined;
  readonly action: `approvals.${string}`;
}

/**
 * Of two who decide at once the second finds nothing any more. What was decided leaves nothing but its entry in the audit
 * log: an input may hold personal data.
 */
async function decide(
  em: Transaction,
  row: ApprovalRow,
  { operator, reason, action }: Decision,
): Promise<void> {
  const removed = await approvalRows.remove.run(em, { id: row.id });
  if (removed.length === 0) gone();
  const { procedure, digest, proposerEmail } = row;
  await recordAudit(em, {
    actor: `operator:${operator.email}`,
    action,
    target: `approval:${row.id}`,
    reason,
    details: { procedure, digest, proposedBy: `operator:${proposerEmail}` },
  });
}

function toApproval(service: ApprovalService, row: ApprovalRow): Approval {
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

function gone(): never {
  throw new AppError({
    code: 'REQUEST_NOT_FOUND',
    publicMessage: 'No such change waits: it was decided, or its time is over',
  });
}

function refusal(publicMessage: string): AppError {
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', publicMessage });
}
