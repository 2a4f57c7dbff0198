import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { asOperator, type IntakeContext, procedure } from '../context.ts';
import { requestNotFound } from '../errors.ts';
import { RequestEntity, TimelineEntity } from '../request/request.entity.ts';
import { certificateOf } from '../request/status/certificate-state.ts';
import { toStatusRecord } from '../request/status/status-record.ts';

const get = operatorProcedures['requests.get'];
const timeline = operatorProcedures['requests.timeline'];

export const getRequestProcedure = procedure
  .use(asOperator(get.role))
  .input(get.input)
  .output(get.output)
  .query(async ({ ctx, input }) => {
    const request = await ctx.database.fork().findOne(RequestEntity, { id: input.requestId });
    if (!request) throw requestNotFound();
    const { family, partnerId, callbackUrl } = request;
    const record = toStatusRecord(request, await certificateOf(request, { ...ctx, now: ctx.clock() }));
    return { ...record, family, partnerId, callbackUrl };
  });

/** A request passes through few states; this many entries is more than any can collect. */
const mostEntries = 500;

/** Oldest first; empty for a request that is not there. */
export async function timelineOf({ database }: Pick<IntakeContext, 'database'>, requestId: string) {
  const entries = await database
    .fork()
    .find(TimelineEntity, { requestId }, { orderBy: { id: 'asc' }, limit: mostEntries });
  return entries.map(({ at, trigger, status, validationStatus, code, actor, reason }) => ({
    at: at.toISOString(),
    kind: trigger,
    status,
    validationStatus,
    code,
    actor,
    reason,
  }));
}

export const requestTimelineProcedure = procedure
  .use(asOperator(timeline.role))
  .input(timeline.input)
  .output(timeline.output)
  .query(async ({ ctx, input }) => {
    const items = await timelineOf(ctx, input.requestId);
    if (items.length === 0) throw requestNotFound();
    return { items };
  });
