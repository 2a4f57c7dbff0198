import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { runnerOf } from '@rubrica/database';
import { AppError, type OperatorCaller } from '@rubrica/process';
import { asOperator, type IntakeContext, procedure } from '../context.ts';
import { requestNotFound, stateNotAllowed } from '../errors.ts';
import { eraseNamedStatement } from './erase-statement.ts';
import { type PlannedErasure, planErasure } from './plan-erasure.ts';
import { pendingPeers, tellPeers } from './tell-peers.ts';

const { role, input, output } = operatorProcedures['requests.erase'];

/** Of one applicant in one call; who has more is told so. */
const mostRequests = 100;

/** In the order of their ids: two erasures at once wait for each other and never in a circle. */
const chosen = `
select id, status, updated_at as "endedAt", not_after as "notAfter", legal_hold_at as "legalHoldAt" from request
where case when $1::uuid is null then identification_number = $2 else id = $1 end
  and (erase_requested_at is null or $1::uuid is not null)
order by id limit ${mostRequests + 1} for update`;

interface Row {
  readonly id: string;
  readonly status: Status;
  readonly endedAt: string;
  readonly notAfter: string | null;
  readonly legalHoldAt: string | null;
}

function date(text: string | null) {
  return text === null ? null : new Date(text);
}

type Input = OperatorInput<'requests.erase'>;

/**
 * Erases of one request, or of all of an applicant's, what the law does not ask to keep: in one transaction with its
 * audit rows and the orders to generation and notifier, which are then told until each has confirmed.
 * @throws AppError REQUEST_NOT_FOUND; REQUEST_STATE_NOT_ALLOWED for one that has not ended or is under legal hold
 */
async function eraseRequests(
  ctx: IntakeContext,
  { operator, ...wanted }: Input & { operator: OperatorCaller },
): Promise<OperatorOutput<'requests.erase'>> {
  const { plans, isComplete } = await ctx.database.transaction(async (em) => {
    const sql = runnerOf(em);
    const given = [wanted.requestId ?? null, wanted.identificationNumber ?? null];
    const rows = await sql.execute<Row>(chosen, given);
    const plans = rows.slice(0, mostRequests).map((row) => planned(row, ctx));
    if (wanted.requestId !== undefined) refuseOne(rows[0], plans[0]);
    const common = { actor: `operator:${operator.email}`, reason: wanted.reason, now: ctx.clock() };
    for (const level of ['all', 'secrets'] as const) {
      const requestIds = plans.filter((plan) => plan.level === level).map(({ answer }) => answer.requestId);
      if (requestIds.length === 0) continue;
      const { text, params } = eraseNamedStatement({ level, requestIds, ...common });
      await sql.execute(text, params);
    }
    return { plans, isComplete: rows.length <= mostRequests };
  });
  await tellPeers(ctx);
  const requests = plans.map(({ answer }) => answer);
  const pending = await pendingPeers(
    ctx.database,
    requests.map(({ requestId }) => requestId),
  );
  return { requests, isComplete, pending };
}

function planned({ endedAt, notAfter, legalHoldAt, ...row }: Row, { rules }: IntakeContext) {
  const dates = { endedAt: new Date(endedAt), notAfter: date(notAfter), legalHoldAt: date(legalHoldAt) };
  return planErasure({ ...row, ...dates }, rules.retention);
}

function refuseOne(row: Row | undefined, plan: PlannedErasure | undefined): void {
  if (row === undefined || plan === undefined) throw requestNotFound();
  if (plan.answer.refused === 'NOT_ENDED') throw stateNotAllowed(row.status);
  if (plan.answer.refused === 'LEGAL_HOLD')
    throw new AppError({
      code: 'REQUEST_STATE_NOT_ALLOWED',
      publicMessage: 'The request is under legal hold: lift it first',
    });
}

export const eraseRequestsProcedure = procedure
  .use(asOperator(role))
  .input(input)
  .output(output)
  .mutation(({ ctx, input: wanted }) => eraseRequests(ctx, { ...wanted, operator: ctx.caller }));
