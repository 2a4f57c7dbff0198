import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { AdministratorStatus } from '@rubrica/contracts/services/schemas/administrators';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { AppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { AdministratorChange, Transaction } from './administrator-change.ts';
import { assertAdministrator, type RemoteStatus } from './administrators.ts';
import { recordApprovals } from './approval-log.ts';
import { bindChange, type ProposedChange } from './proposal.ts';
import { reserveSingleChange } from './single-changes.ts';
import { type ApprovalDeps, approvalRows, pageRows } from './waiting-change.ts';

const openMs = 72 * HOUR_MS;
/** Limits of waiting changes in one service, and of one administrator, so that nobody can use up all of them. */
const maxOpen = 500;
const lowestId = '00000000-0000-0000-0000-000000000000';
const maxOwn = 50;

/**
 * Creates the use case of one procedure of administrators. The change is made at once if its row allows one
 * administrator; otherwise it waits as a whole until another one has approved it.
 */
export function createProposeChange<Path extends OperatorPath>(
  deps: ApprovalDeps,
  path: Path,
  change: AdministratorChange<Path>,
) {
  return async (input: never, { caller: operator }: { readonly caller: OperatorCaller }) => {
    // 1. Calls and slow work come first. A crash loses them; nothing was decided.
    const remote = await deps.administrators.requestStatus({ operator });
    const prepared = await change.prepare?.(input);

    // 2. One transaction decides, and makes the change or stores its proposal, each with its entry in the audit log. A
    // crash before the commit leaves neither. A repeated proposal finds the one that waits, by its digest.
    const request = { path, change, input, operator, remote, prepared };
    const decide = () => deps.database.transaction((em) => decideInTransaction(deps, em, request));
    const decision = await decide().catch(async (error: unknown) => {
      if (isWithoutRoom(error) && (await removeForged(deps))) return decide();
      throw error;
    });

    // 3. The answer: the result, or the present record with the id of the waiting change. A crash loses only this.
    if (decision.kind === 'made') return change.answer(decision.made, input);
    return { ...(await change.loadPresent(input)), approvalId: `${deps.service}.${decision.id}` };
  };
}

interface ChangeRequest<Path extends OperatorPath> {
  readonly path: Path;
  readonly change: AdministratorChange<Path>;
  readonly input: never;
  readonly operator: OperatorCaller;
  readonly remote: RemoteStatus | undefined;
  readonly prepared: unknown;
}

type Decision =
  | { readonly kind: 'made'; readonly made: unknown }
  | { readonly kind: 'waits'; readonly id: string };

/** @throws AppError FORBIDDEN, SECOND_ADMINISTRATOR_NEEDED, REQUEST_STATE_NOT_ALLOWED, or the errors of the change */
async function decideInTransaction<Path extends OperatorPath>(
  deps: ApprovalDeps,
  em: Transaction,
  { path, change, input, operator, remote, prepared }: ChangeRequest<Path>,
): Promise<Decision> {
  // 1. The operator is an administrator now, whatever the token says.
  await change.lockFirst?.(em);
  const status = await deps.administrators.readStatus(em, { operator }, remote);
  assertAdministrator(status);

  // 2. The change is bound to the record as it is, which stays locked.
  const before = await change.loadBefore(em, input, operator);
  const proposal = await createProposal({ path, input, before, operator });

  // 3. One administrator is enough, or another one must approve.
  if (await isAllowedAlone(deps, em, { status, proposal }))
    return { kind: 'made', made: await change.make(em, input, operator, prepared) };
  if (status.count < 2) throw secondNeeded();
  return { kind: 'waits', id: await storeProposal(deps, em, proposal) };
}

async function createProposal({
  path,
  input,
  before,
  operator,
}: {
  readonly path: OperatorPath;
  readonly input: object;
  readonly before: object | null;
  readonly operator: OperatorCaller;
}): Promise<ProposedChange> {
  const { reason = null } = input as { readonly reason?: string };
  return {
    ...(await bindChange({ procedure: path, input, before })),
    proposedBy: operator.operatorId,
    proposerEmail: operator.email,
    reason,
  };
}

/**
 * Tells whether one administrator may make the change: where the service needs no second one, or by the change's row. A
 * row without a rule always needs two. A change that its row limits per hour is counted here.
 */
async function isAllowedAlone(
  { rows, newId }: Pick<ApprovalDeps, 'rows' | 'newId'>,
  em: Transaction,
  { status, proposal }: { readonly status: AdministratorStatus; readonly proposal: ProposedChange },
): Promise<boolean> {
  if (!status.takeTwo) return true;
  const { procedure, before, after, proposedBy: operatorId } = proposal;
  const row: OperatorProcedure = operatorProcedures[procedure as OperatorPath];
  if (row.second?.(before, after) ?? true) return false;
  const { alonePerHour: most } = row;
  if (most === undefined || row.countsAlone?.(before, after) === false) return true;
  return reserveSingleChange(em, { operatorId, procedure, most }, { rows, newId });
}

/**
 * Stores a proposal with its entry in the audit log, or finds an equal waiting one.
 * @returns the id of the waiting change
 * @throws AppError REQUEST_STATE_NOT_ALLOWED if too many changes wait
 */
async function storeProposal(deps: ApprovalDeps, em: Transaction, proposal: ProposedChange): Promise<string> {
  const { rows, clock, newId, log = 'standard' } = deps;
  const { procedure, digest, reason } = proposal;
  const [same] = await approvalRows.same.run(em, { digest });
  if (same !== undefined) {
    const isOpen = new Date(same.expiresAt) > clock();
    if (isOpen && rows.isIntact('approval', same.stored)) return same.id;
    // It was not written by the service, or has expired: it must not block this one.
    await approvalRows.remove.run(em, { id: same.id });
  }
  const id = newId();
  if (!(await insertProposal(deps, em, { id, proposal }))) {
    const [meanwhile] = await approvalRows.same.run(em, { digest });
    if (meanwhile !== undefined && rows.isIntact('approval', meanwhile.stored)) return meanwhile.id;
    throw withoutRoom();
  }
  const entry = {
    actor: `operator:${proposal.proposerEmail}`,
    action: 'approvals.propose',
    target: `approval:${id}`,
    reason: reason ?? undefined,
    details: { procedure, digest },
  };
  await recordApprovals(em, log, [entry]);
  return id;
}

async function insertProposal(
  { clock, rows }: Pick<ApprovalDeps, 'clock' | 'rows'>,
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
 * Removes all rows that this service has not written, which use up the limit. Each page is committed, so that a
 * proposal that is refused afterwards does not restore them.
 * @returns true if there were any
 */
async function removeForged({ rows, database }: Pick<ApprovalDeps, 'rows' | 'database'>): Promise<boolean> {
  let isAny = false;
  for (let after = lowestId; ; ) {
    const page = await approvalRows.all.run(database, { after, limit: pageRows });
    const forged = page.filter(({ stored }) => !rows.hasMac('approval', stored)).map(({ id }) => id);
    const [first] = forged;
    if (first !== undefined) {
      if (!isAny) rows.reportFailed({ table: 'approval', id: first });
      isAny = true;
      await approvalRows.removeAll.run(database, { ids: forged });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) return isAny;
    after = last.id;
  }
}

function withoutRoom(): AppError {
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text: createText('approval.tooManyOpen') });
}

function isWithoutRoom(error: unknown): boolean {
  return error instanceof AppError && error.text?.id === 'approval.tooManyOpen';
}

function secondNeeded(): AppError {
  return new AppError({ code: 'SECOND_ADMINISTRATOR_NEEDED', text: createText('approval.secondNeeded') });
}
