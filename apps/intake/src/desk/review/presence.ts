import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { statement } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import { requestNotFound } from '../../base/errors.ts';
import { forgetExpired } from '../../base/sweeper-task.ts';
import type { DeskDeps } from '../deps.ts';

type Needs = Pick<DeskDeps, 'database' | 'clock' | 'reviewSignals'>;
type Present = OperatorOutput<'reviews.open'>['openedBy'];

/** A page that is closed without a word is forgotten after this. */
const leaseMs = 30_000;

interface Opening {
  readonly requestId: string;
  readonly operatorId: string;
  readonly now: Date;
  readonly until: Date;
}

const open = statement<Opening, { readonly wasOpen: boolean }>({
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

const close = statement<Pick<Opening, 'requestId' | 'operatorId'>>({
  name: 'close-review',
  sql: 'delete from review_presence where request_id = :requestId and operator_id = :operatorId returning 1',
});

const findPresent = statement<Pick<Opening, 'requestId' | 'now'>, { readonly present: Present }>({
  name: 'present-at-review',
  sql: `
select coalesce(jsonb_agg(jsonb_build_object('operatorId', operator.id, 'operator', operator.email,
    'since', to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by since, operator.id), '[]') as present
from review_presence join operator on operator.id = operator_id
where request_id = :requestId and until > :now::timestamptz`,
});

/** Who has the review open, the first who came first. */
export async function presentAt(
  { database, clock }: Pick<Needs, 'database' | 'clock'>,
  requestId: string,
): Promise<Present> {
  const [row] = await findPresent.run(database, { requestId, now: clock() });
  return row?.present ?? [];
}

/**
 * Says that the caller looks at a review, for half a minute: the page says it again until it is left.
 * @throws AppError REQUEST_NOT_FOUND
 */
export function createOpenReview(deps: Needs): OperatorUseCase<'reviews.open'> {
  return async ({ requestId }, { caller: { operatorId } }) => {
    const now = deps.clock();
    const until = new Date(now.getTime() + leaseMs);
    const [opened] = await open.run(deps.database, { requestId, operatorId, now, until });
    if (!opened) throw requestNotFound();
    if (!opened.wasOpen) deps.reviewSignals.tell({ requestId, change: 'presence' });
    return { openedBy: await presentAt(deps, requestId), until: until.toISOString() };
  };
}

/** Takes that back; nothing is said to who had none open. */
export function createLeaveReview(deps: Needs): OperatorUseCase<'reviews.leave'> {
  return async ({ requestId }, { caller: { operatorId } }) => {
    const left = await close.run(deps.database, { requestId, operatorId });
    if (left.length > 0) deps.reviewSignals.tell({ requestId, change: 'presence' });
    return { openedBy: await presentAt(deps, requestId) };
  };
}

export const forgetPresence = forgetExpired({
  name: 'forget-presence',
  table: 'review_presence',
  key: 'request_id, operator_id',
  at: 'until',
});
