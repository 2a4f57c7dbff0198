import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import {
  type OperatorPath,
  operatorProcedures,
  type ServiceAdministratorPath,
} from '@rubrica/contracts/operators/procedures';
import type { AdministratorStatus } from '@rubrica/contracts/services/schemas/administrators';
import type { ApprovalService } from '@rubrica/contracts/shared/enumerations';
import { type ApprovalRow, type ProposedChange, reserveSingleApproval } from '@rubrica/database';
import { AppError, type OperatorCaller } from '@rubrica/process';
import type { OperatorUseCase } from '../calls/handlers.ts';
import type { AdministratorChanges, Transaction } from './administrator-change.ts';
import { assertAdministrator } from './administrators.ts';
import { createProposal, isIntact, matchesRecord, takesTwo } from './proposal.ts';
import {
  type AnyChange,
  type AnyChanges,
  createList,
  endWaiting,
  isWithoutRoom,
  readWaiting,
  refusal,
  removeForged,
  storeProposal,
  toApproval,
  type WaitingOptions,
} from './waiting-approvals.ts';

export interface ApprovalsOptions<Service extends ApprovalService> extends WaitingOptions {
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
  readonly [Path in ServiceAdministratorPath<Service>]: OperatorUseCase<Path>;
};

/**
 * Creates the use cases of a service's administrators. A change is made at once if its row allows one administrator;
 * otherwise it waits as a whole until another one has approved it. The decision between the two falls in the
 * transaction of the change.
 */
export function createApprovals<Service extends ApprovalService>(
  options: ApprovalsOptions<Service>,
): ApprovalHandlers & ChangeHandlers<Service> {
  const changes = options.changes as unknown as AnyChanges;
  const handlers = Object.entries(changes).map(([path, change]) => [
    path,
    createChangeHandler(options, path, change),
  ]);
  return {
    ...(Object.fromEntries(handlers) as ChangeHandlers<Service>),
    'approvals.list': createList(options),
    'approvals.get': createGet(options),
    'approvals.passkeyOptions': createPasskeyOptions(options),
    'approvals.approve': createApprove(options, changes),
    'approvals.reject': createReject(options),
  };
}

/** Creates the handler of a requested change: it is made, or stored for another administrator. */
function createChangeHandler(options: WaitingOptions, path: string, change: AnyChange) {
  return async (input: never, { caller: operator }: { readonly caller: OperatorCaller }) => {
    const look = await options.administrators.look({ operator });
    const { make } = (await change.prepare?.(input)) ?? change;
    const decide = async (em: Transaction) => {
      await change.inTurn?.(em);
      const status = await look(em);
      assertAdministrator(status);
      const before = await change.before(em, input, operator);
      const proposal = await createProposal({ path: path as never, input, before, operator });
      const isAlone = !status.takeTwo || !takesTwo(proposal);
      if (isAlone && (!status.takeTwo || (await isWithinHour(options, em, proposal))))
        return { answer: await make(em, input, operator) };
      if (status.count < 2) throw secondNeeded();
      return { id: await storeProposal(options, em, proposal) };
    };
    const decided = await options.database.transaction(decide).catch(async (error: unknown) => {
      if (isWithoutRoom(error) && (await removeForged(options))) return options.database.transaction(decide);
      throw error;
    });
    if (decided.answer !== undefined) return decided.answer();
    return { ...(await change.asItIs(input)), approvalId: `${options.service}.${decided.id}` };
  };
}

/** Counts the change if its row limits how often one administrator may make it. */
async function isWithinHour(
  { rows, newId }: WaitingOptions,
  em: Transaction,
  proposal: ProposedChange,
): Promise<boolean> {
  const { procedure, before, after, proposedBy: operatorId } = proposal;
  const row: OperatorProcedure = operatorProcedures[procedure as OperatorPath];
  const { alonePerHour: most } = row;
  if (most === undefined || row.countsAlone?.(before, after) === false) return true;
  return reserveSingleApproval(em, { operatorId, procedure, most }, { rows, newId });
}

function createGet(options: WaitingOptions): OperatorUseCase<'approvals.get'> {
  return async ({ id }) => toApproval(options.service, await readWaiting(options, options.database, id));
}

/** @throws AppError REQUEST_NOT_FOUND, FORBIDDEN */
function createPasskeyOptions(options: WaitingOptions): OperatorUseCase<'approvals.passkeyOptions'> {
  return async ({ id }, { caller: operator }) => {
    const kept = await readWaiting(options, options.database, id);
    assertNotOwn(kept, operator);
    const { operatorId } = operator;
    return options.administrators.passkeyOptions({ operatorId, digest: kept.digest });
  };
}

/**
 * @throws AppError REQUEST_NOT_FOUND, FORBIDDEN, PASSKEY_NEEDED, REQUEST_STATE_NOT_ALLOWED, or the errors of the change
 * itself
 */
function createApprove(options: WaitingOptions, changes: AnyChanges): OperatorUseCase<'approvals.approve'> {
  const { service, database, administrators } = options;
  return async ({ id, reason, response: sealedResponse }, { caller: operator }) => {
    const kept = await readWaiting(options, database, id);
    const { change, input } = await findProposed(kept, changes);
    assertNotOwn(kept, operator);
    const { operatorId } = operator;
    const confirmed = await administrators.confirm({ operatorId, digest: kept.digest, sealedResponse });
    const look = await administrators.look({ operator, proposedBy: kept.proposedBy });
    const { make } = (await change.prepare?.(input)) ?? change;
    const { row, answer } = await database.transaction(async (em) => {
      await change.inTurn?.(em);
      const status = await look(em);
      assertAdministrator(status);
      const row = await readWaiting(options, em, id);
      assertPair(status, row, { ...kept, digest: confirmed.digest });
      if (!(await matchesRecord(row, await change.before(em, input, operator))))
        throw refusal(createText('approval.changedSince'));
      await endWaiting(options, em, {
        row,
        operator,
        reason,
        action: 'approvals.approve',
        factorId: confirmed.factorId,
      });
      // The proposer requested the change; the approver is responsible for it, and is shown its result.
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

/**
 * Finds the proposed change.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED if the row differs from the proposal
 */
async function findProposed(
  row: ApprovalRow,
  changes: AnyChanges,
): Promise<{ change: AnyChange; input: never }> {
  const change = changes[row.procedure];
  if (change === undefined || !(await isIntact(row))) throw refusal(createText('approval.tampered'));
  const schema = operatorProcedures[row.procedure as ServiceAdministratorPath<ApprovalService>].input;
  return { change, input: schema.parse(row.input) as never };
}

/**
 * Checks that the two administrators may decide together.
 * @throws AppError if they may not
 */
function assertPair(
  status: AdministratorStatus,
  row: ApprovalRow,
  expected: Pick<ApprovalRow, 'proposedBy' | 'digest'>,
): void {
  if (row.proposedBy !== expected.proposedBy || row.digest !== expected.digest)
    throw refusal(createText('approval.proposedAnew'));
  if (!status.isProposerAdministrator)
    throw refusal(createText('approval.proposerEnded', { email: row.proposerEmail }));
  if (!status.areIndependent)
    throw forbidden(createText('approval.notIndependent', { email: row.proposerEmail }));
}

/**
 * Rejects a change; its proposer may withdraw it this way.
 * @throws AppError REQUEST_NOT_FOUND, FORBIDDEN
 */
function createReject(options: WaitingOptions): OperatorUseCase<'approvals.reject'> {
  return async ({ id, reason }, { caller: operator }) => {
    const look = await options.administrators.look({ operator });
    return options.database.transaction(async (em) => {
      assertAdministrator(await look(em));
      const row = await readWaiting(options, em, id);
      await endWaiting(options, em, { row, operator, reason, action: 'approvals.reject' });
      return toApproval(options.service, row);
    });
  };
}

function forbidden(text: ErrorText): AppError {
  return new AppError({ code: 'FORBIDDEN', text });
}

function secondNeeded(): AppError {
  return new AppError({
    code: 'SECOND_ADMINISTRATOR_NEEDED',
    text: createText('approval.secondNeeded'),
  });
}
