import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { operatorProcedures, type ServiceAdministratorPath } from '@rubrica/contracts/operators/procedures';
import type { AdministratorStatus } from '@rubrica/contracts/services/schemas/administrators';
import type { ApprovalService } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { AdministratorChange, Transaction } from './administrator-change.ts';
import { assertAdministrator, type Confirmation, type RemoteStatus } from './administrators.ts';
import { isIntact, matchesRecord } from './proposal.ts';
import {
  type ApprovalDeps,
  endWaiting,
  readWaiting,
  toApproval,
  type WaitingChange,
} from './waiting-change.ts';

type AnyChange = AdministratorChange<ServiceAdministratorPath<ApprovalService>>;
/** Changes of the service, by procedure. */
export type ChangesByPath = Readonly<Record<string, AnyChange>>;

/**
 * Creates the options for the approver's passkey. Their challenge begins with the digest of the change.
 * @throws AppError REQUEST_NOT_FOUND, FORBIDDEN
 */
export function createPasskeyOptions(deps: ApprovalDeps): OperatorUseCase<'approvals.passkeyOptions'> {
  return async ({ id }, { caller: operator }) => {
    const shown = await readWaiting(deps, deps.database, id);
    assertNotOwn(shown, operator);
    const { operatorId } = operator;
    return deps.administrators.passkeyOptions({ operatorId, digest: shown.digest });
  };
}

/**
 * Creates the approval of a waiting change by a second administrator.
 * @throws AppError REQUEST_NOT_FOUND, FORBIDDEN, PASSKEY_NEEDED, REQUEST_STATE_NOT_ALLOWED, or the errors of the change
 * itself
 */
export function createApproveChange(
  deps: ApprovalDeps,
  changes: ChangesByPath,
): OperatorUseCase<'approvals.approve'> {
  const { service, database, administrators } = deps;
  return async ({ id, reason, response: sealedResponse }, { caller: operator }) => {
    // 1. The change that the approver was shown. A row that differs from its digest is refused.
    const shown = await readWaiting(deps, database, id);
    const { change, input } = await findProposed(shown, changes);
    assertNotOwn(shown, operator);

    // 2. Intake verifies that the approver's passkey has signed this digest, and uses up the challenge. After a crash
    // the approver signs again.
    const { operatorId } = operator;
    const confirmation = await administrators.confirm({ operatorId, digest: shown.digest, sealedResponse });

    // 3. Other calls and slow work, before the transaction.
    const remote = await administrators.requestStatus({ operator, proposedBy: shown.proposedBy });
    const prepared = await change.prepare?.(input);

    // 4. One transaction ends the waiting change, records the approval and makes the change. A crash before the commit
    // leaves the change waiting.
    const approval = { change, input, operator, reason, shown, confirmation, remote, prepared };
    const { row, made } = await database.transaction((em) => approveInTransaction(deps, em, approval));

    // 5. The approver is shown the result. A crash loses only this: a secret that nobody saw is replaced again.
    return { ...toApproval(service, row), result: await change.answer(made, input) };
  };
}

interface Approval {
  readonly change: AnyChange;
  readonly input: never;
  readonly operator: OperatorCaller;
  readonly reason: string | undefined;
  /** Change that the approver was shown. */
  readonly shown: WaitingChange;
  readonly confirmation: Confirmation;
  readonly remote: RemoteStatus | undefined;
  readonly prepared: unknown;
}

async function approveInTransaction(
  deps: ApprovalDeps,
  em: Transaction,
  { change, input, operator, reason, shown, confirmation, remote, prepared }: Approval,
): Promise<{ readonly row: WaitingChange; readonly made: unknown }> {
  // 1. Both are administrators now, and independent of each other.
  await change.lockFirst?.(em);
  const people = { operator, proposedBy: shown.proposedBy };
  const status = await deps.administrators.readStatus(em, people, remote);
  assertAdministrator(status);
  const row = await readWaiting(deps, em, shown.id);
  assertSameProposal(row, { proposedBy: shown.proposedBy, digest: confirmation.digest });
  assertPair(status, row);

  // 2. The record is the one that the change was proposed for, and stays locked.
  const before = await change.loadBefore(em, input, operator);
  if (!(await matchesRecord(row, before))) throw refusal(createText('approval.changedSince'));

  // 3. The waiting change ends with its entry in the audit log. 4. The change is made.
  const { factorId } = confirmation;
  await endWaiting(deps, em, { row, operator, reason, action: 'approvals.approve', factorId });
  // The proposer requested the change; the approver is responsible for it, and is shown its result.
  const decider = { ...operator, proposedBy: row.proposedBy };
  return { row, made: await change.make(em, input, decider, prepared) };
}

/**
 * Finds the proposed change.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED if the row differs from the proposal
 */
async function findProposed(
  row: WaitingChange,
  changes: ChangesByPath,
): Promise<{ readonly change: AnyChange; readonly input: never }> {
  const change = changes[row.procedure];
  if (change === undefined || !(await isIntact(row))) throw refusal(createText('approval.tampered'));
  const schema = operatorProcedures[row.procedure as ServiceAdministratorPath<ApprovalService>].input;
  return { change, input: schema.parse(row.input) as never };
}

/** @throws AppError FORBIDDEN */
function assertNotOwn({ proposedBy }: WaitingChange, { operatorId }: OperatorCaller): void {
  if (proposedBy === operatorId) throw forbidden(createText('approval.own'));
}

/** @throws AppError REQUEST_STATE_NOT_ALLOWED for another proposal than the confirmed one */
function assertSameProposal(
  row: WaitingChange,
  { proposedBy, digest }: Pick<WaitingChange, 'proposedBy' | 'digest'>,
): void {
  if (row.proposedBy === proposedBy && row.digest === digest) return;
  throw refusal(createText('approval.proposedAnew'));
}

/** @throws AppError if the two administrators may not decide together */
function assertPair(status: AdministratorStatus, { proposerEmail: email }: WaitingChange): void {
  if (!status.isProposerAdministrator) throw refusal(createText('approval.proposerEnded', { email }));
  if (!status.areIndependent) throw forbidden(createText('approval.notIndependent', { email }));
}

function refusal(text: ErrorText): AppError {
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text });
}

function forbidden(text: ErrorText): AppError {
  return new AppError({ code: 'FORBIDDEN', text });
}
