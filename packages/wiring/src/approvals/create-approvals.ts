import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ApprovalService } from '@rubrica/contracts/operators/approvals';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import {
  type AdministratorPathOf,
  type OperatorPath,
  operatorProcedures,
} from '@rubrica/contracts/operators/procedures';
import type { AdministratorsStanding } from '@rubrica/contracts/services/schemas/administrators';
import { type ApprovalRow, mayDoAlone, type ProposedChange } from '@rubrica/database';
import { AppError, type OperatorCaller } from '@rubrica/process';
import type { OperatorUseCase } from '../calls/handlers.ts';
import type { AdministratorChanges, Transaction } from './administrator-change.ts';
import { assertAdministrator } from './administrators.ts';
import {
  type AnyChange,
  type AnyChanges,
  createList,
  endKept,
  isWithoutRoom,
  type KeptOptions,
  keep,
  readKept,
  refusal,
  removeForged,
  toApproval,
} from './kept-approvals.ts';
import { createProposal, isIntact, isOfRecord, takesTwo } from './proposal.ts';

export interface ApprovalsOptions<Service extends ApprovalService> extends KeptOptions {
  readonly service: Service;
  readonly changes: AdministratorChanges<Service>;
}

type ApprovalHandlers = {
  readonly [Path in
    | 'approvals.list'
    | 'approvals.get'
    | 'approvals.passkeyOptions'
    | 'approvals.approve'
    | 'approvals.reject']: OperatorUseCase<Path>;
};
type ChangeHandlers<Service extends ApprovalService> = {
  readonly [Path in AdministratorPathOf<Service>]: OperatorUseCase<Path>;
};

/**
 * The use cases of a service's administrators: each change is made at once where its row lets one administrator do so,
 * and otherwise waits whole until another one has approved it. Both are asked for in the transaction of the change.
 */
export function createApprovals<Service extends ApprovalService>(
  options: ApprovalsOptions<Service>,
): ApprovalHandlers & ChangeHandlers<Service> {
  const changes = options.changes as unknown as AnyChanges;
  const handlers = Object.entries(changes).map(([path, change]) => [path, proposable(options, path, change)]);
  return {
    ...(Object.fromEntries(handlers) as ChangeHandlers<Service>),
    'approvals.list': createList(options),
    'approvals.get': createGet(options),
    'approvals.passkeyOptions': createPasskeyOptions(options),
    'approvals.approve': createApprove(options, changes),
    'approvals.reject': createReject(options),
  };
}

/** The change as an operator asks for it: made, or kept for another administrator. */
function proposable(options: KeptOptions, path: string, change: AnyChange) {
  return async (input: never, { caller: operator }: { readonly caller: OperatorCaller }) => {
    const look = await options.administrators.look({ operator });
    const { make } = (await change.prepare?.(input)) ?? change;
    const decide = async (em: Transaction) => {
      await change.inTurn?.(em);
      const standing = await look(em);
      assertAdministrator(standing);
      const before = await change.before(em, input, operator);
      const proposal = await createProposal({ path: path as never, input, before, operator });
      const isAlone = !standing.takeTwo || !takesTwo(proposal);
      if (isAlone && (!standing.takeTwo || (await isWithinHour(options, em, proposal))))
        return { answer: await make(em, input, operator) };
      if (standing.count < 2) throw noSecond();
      return { id: await keep(options, em, proposal) };
    };
    const decided = await options.database.transaction(decide).catch(async (error: unknown) => {
      if (isWithoutRoom(error) && (await removeForged(options))) return options.database.transaction(decide);
      throw error;
    });
    if (decided.answer !== undefined) return decided.answer();
    return { ...(await change.asItIs(input)), approvalId: `${options.service}.${decided.id}` };
  };
}

/** Counts it, where its row says how often one administrator may do it. */
async function isWithinHour(
  { rows, newId }: KeptOptions,
  em: Transaction,
  proposal: ProposedChange,
): Promise<boolean> {
  const { procedure, before, after, proposedBy: operatorId } = proposal;
  const row: OperatorProcedure = operatorProcedures[procedure as OperatorPath];
  const { alonePerHour: most } = row;
  if (most === undefined || row.countsAlone?.(before, after) === false) return true;
  return mayDoAlone(em, { operatorId, procedure, most }, { rows, newId });
}

function createGet(options: KeptOptions): OperatorUseCase<'approvals.get'> {
  return async ({ id }) => toApproval(options.service, await readKept(options, options.database, id));
}

/** @throws AppError REQUEST_NOT_FOUND, FORBIDDEN */
function createPasskeyOptions(options: KeptOptions): OperatorUseCase<'approvals.passkeyOptions'> {
  return async ({ id }, { caller: operator }) => {
    const kept = await readKept(options, options.database, id);
    assertNotOwn(kept, operator);
    const { operatorId } = operator;
    return options.administrators.passkeyOptions({ operatorId, digest: kept.digest });
  };
}

/** @throws AppError REQUEST_NOT_FOUND, FORBIDDEN, PASSKEY_NEEDED, REQUEST_STATE_NOT_ALLOWED, or as the change itself */
function createApprove(options: KeptOptions, changes: AnyChanges): OperatorUseCase<'approvals.approve'> {
  const { service, database, administrators } = options;
  return async ({ id, reason, response: sealedResponse }, { caller: operator }) => {
    const kept = await readKept(options, database, id);
    const { change, input } = await proposedBy(kept, changes);
    assertNotOwn(kept, operator);
    const { operatorId } = operator;
    const confirmed = await administrators.confirm({ operatorId, digest: kept.digest, sealedResponse });
    const look = await administrators.look({ operator, proposedBy: kept.proposedBy });
    const { make } = (await change.prepare?.(input)) ?? change;
    const { row, answer } = await database.transaction(async (em) => {
      await change.inTurn?.(em);
      const standing = await look(em);
      assertAdministrator(standing);
      const row = await readKept(options, em, id);
      assertPair(standing, row, { ...kept, digest: confirmed.digest });
      if (!(await isOfRecord(row, await change.before(em, input, operator))))
        throw refusal(createText('approval.changedSince'));
      await endKept(options, em, {
        row,
        operator,
        reason,
        action: 'approvals.approve',
        factorId: confirmed.factorId,
      });
      // Who has proposed it asks for it; who approves it answers for it, and is shown what it makes.
      const { proposedBy } = row;
      return { row, answer: await make(em, input, { ...operator, proposedBy }) };
    });
    return { ...toApproval(service, row), result: await answer() };
  };
}

/** @throws AppError FORBIDDEN */
function assertNotOwn({ proposedBy }: ApprovalRow, { operatorId }: OperatorCaller): void {
  if (proposedBy === operatorId) throw forbidden(createText('approval.own'));
}

/** @throws AppError REQUEST_STATE_NOT_ALLOWED where the row is not what was proposed */
async function proposedBy(
  row: ApprovalRow,
  changes: AnyChanges,
): Promise<{ change: AnyChange; input: never }> {
  const change = changes[row.procedure];
  if (change === undefined || !(await isIntact(row))) throw refusal(createText('approval.tampered'));
  const schema = operatorProcedures[row.procedure as AdministratorPathOf<ApprovalService>].input;
  return { change, input: schema.parse(row.input) as never };
}

/** @throws AppError where these two do not make a pair now */
function assertPair(
  standing: AdministratorsStanding,
  row: ApprovalRow,
  asked: Pick<ApprovalRow, 'proposedBy' | 'digest'>,
): void {
  if (row.proposedBy !== asked.proposedBy || row.digest !== asked.digest)
    throw refusal(createText('approval.proposedAnew'));
  if (!standing.isProposerAdministrator)
    throw refusal(createText('approval.proposerEnded', { email: row.proposerEmail }));
  if (!standing.areIndependent)
    throw forbidden(createText('approval.notIndependent', { email: row.proposerEmail }));
}

/** Who has proposed a change may take it back by this. @throws AppError REQUEST_NOT_FOUND, FORBIDDEN */
function createReject(options: KeptOptions): OperatorUseCase<'approvals.reject'> {
  return async ({ id, reason }, { caller: operator }) => {
    const look = await options.administrators.look({ operator });
    return options.database.transaction(async (em) => {
      assertAdministrator(await look(em));
      const row = await readKept(options, em, id);
      await endKept(options, em, { row, operator, reason, action: 'approvals.reject' });
      return toApproval(options.service, row);
    });
  };
}

function forbidden(text: ErrorText): AppError {
  return new AppError({ code: 'FORBIDDEN', text });
}

function noSecond(): AppError {
  return new AppError({
    code: 'SECOND_ADMINISTRATOR_NEEDED',
    text: createText('approval.secondNeeded'),
  });
}
