import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { statement } from '@rubrica/database/statement';
import type { OperatorUseCase } from '@rubrica/wiring';
import { requestNotFound } from '../../base/errors.ts';
import { deleteExpired } from '../../base/sweeper-task.ts';
import type { DeskDeps } from '../deps.ts';

type PresenceDeps = Pick<DeskDeps, 'database' | 'clock' | 'reviewSignals'>;
type PresentOperators = OperatorOutput<'reviews.open'>['openedBy'];

/** Time after which a page that was closed silently counts as left. */
const leaseMs = 30_000;

interface PresenceParams {
  readonly requestId: string;
  readonly operatorId: string;
  readonly now: Date;
  readonly until: Date;
}

const open = statement<PresenceParams, { readonly wasOpen: boolean }>({
  name: 'open-review',
  sql: `
with before as (
  select until > :now::timestamptz as is_open from review_presence
  where request_id = :requestId and operator_id = :operatorId
), kept as (
  insert into review_presence (request_id, operator_id, since, until)
  select id, :operatorId::uuid, :now::timestamptz, :until::timestamptz from request where id = :requestId
  on conflict (request_id, operator_id) do update set until = excluded.until,
    since = case when review_presence.until > :now::timestamptz then review_presence.since else excluded.since end
  returning 1
)
select coalesce((select is_open from before), false) as "wasOpen" from kept`,
});

const close = statement<Pick<PresenceParams, 'requestId' | 'operatorId'>>({
  name: 'close-review',
  sql: 'delete from review_presence where request_id = :requestId and operator_id = :operatorId returning 1',
});

const findPresent = statement<
  Pick<PresenceParams, 'requestId' | 'now'>,
  { readonly present: PresentOperators }
>({
  name: 'present-at-review',
  sql: `
select coalesce(jsonb_agg(jsonb_build_object('operatorId', operator.id, 'operator', operator.email,
    'since', to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by since, operator.id), '[]') as present
from review_presence join operator on operator.id = operator_id
where request_id = :requestId and until > :now::timestamptz`,
});

/** Lists the operators who have the review open, earliest first. */
export async function listPresent(
  { database, clock }: Pick<PresenceDeps, 'database' | 'clock'>,
  requestId: string,
): Promise<PresentOperators> {
  const [row] = await findPresent.run(database, { requestId, now: clock() });
  return row?.present ?? [];
}

/**
 * Records that the caller looks at a review, for half a minute: the page repeats the call until it is left.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createOpenReview(deps: PresenceDeps): OperatorUseCase<'reviews.open'> {
  return async ({ requestId }, { caller: { operatorId } }) => {
    const now = deps.clock();
    const until = new Date(now.getTime() + leaseMs);
    const [opened] = await open.run(deps.database, { requestId, operatorId, now, until });
    if (!opened) throw requestNotFound();
    if (!opened.wasOpen) deps.reviewSignals.tell({ requestId, change: 'presence' });
    return { openedBy: await listPresent(deps, requestId), until: until.toISOString() };
  };
}

/** Ends the caller's presence; a caller who was not present gets no error. */
export function createLeaveReview(deps: PresenceDeps): OperatorUseCase<'reviews.leave'> {
  return async ({ requestId }, { caller: { operatorId } }) => {
    const left = await close.run(deps.database, { requestId, operatorId });
    if (left.length > 0) deps.reviewSignals.tell({ requestId, change: 'presence' });
    return { openedBy: await listPresent(deps, requestId) };
  };
}

export const forgetPresence = deleteExpired({
  name: 'forget-presence',
  table: 'review_presence',
  key: 'request_id, operator_id',
  at: 'until',
});
