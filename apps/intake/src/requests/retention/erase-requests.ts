import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import { requestNotFound, stateNotAllowed } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import type { Request } from '../request/request.entity.ts';
import { eraseLockedRequests } from './erase-statement.ts';
import { notifyPeers, pendingPeers } from './notify-peers.ts';
import { type PlannedErasure, planErasure } from './plan-erasure.ts';

type EraseRequestsDeps = Pick<RequestsDeps, 'database' | 'clock' | 'rules' | 'logger' | 'peers'>;

/** Requests of one applicant that one call erases at most. The answer says if the applicant has more. */
const maxRequests = 100;

interface ChooseParams {
  readonly requestId: string | null;
  readonly identificationNumber: string | null;
}

interface Row extends Pick<Request, 'id' | 'status'> {
  readonly endedAt: string;
  readonly notAfter: string | null;
  readonly legalHoldAt: string | null;
}

/**
 * Chooses the requests to erase; one of the two parameters is given. They are locked in the order of their
 * ids, so that two erasures at once cannot deadlock.
 */
const choose = statement<ChooseParams, Row>({
  name: 'choose-erased',
  sql: `
select id, status, updated_at as "endedAt", not_after as "notAfter", legal_hold_at as "legalHoldAt" from request
where (id = :requestId::uuid or (identification_number = :identificationNumber and identification_number <> ''))
  and (erase_requested_at is null or :requestId::uuid is not null)
order by id limit ${maxRequests + 1} for update`,
});

interface Erasure {
  readonly requests: readonly PlannedErasure['answer'][];
  /** The applicant has no more requests than were chosen. */
  readonly isComplete: boolean;
}

function toDate(text: string | null) {
  return text === null ? null : new Date(text);
}

/**
 * Erases everything of one request, or of all requests of an applicant, that the law does not require to
 * keep. One transaction writes it with its audit rows and the orders to generation and notifier. They are
 * notified until each has confirmed.
 * @throws AppError REQUEST_NOT_FOUND; REQUEST_STATE_NOT_ALLOWED for a request that has not ended or is under
 *   legal hold
 */
export function createEraseRequests(deps: EraseRequestsDeps): AdministratorChange<'requests.erase', Erasure> {
  return {
    async loadBefore(em, wanted) {
      const { rows } = await chooseRequests(em, wanted, deps);
      return { requests: rows.map(({ id, status }) => ({ requestId: id, status })) };
    },
    async make(em, wanted, operator) {
      const { rows, plans } = await chooseRequests(em, wanted, deps);
      const common = { actor: `operator:${operator.email}`, reason: wanted.reason, now: deps.clock() };
      for (const level of ['all', 'secrets'] as const) {
        const requestIds = plans.filter((plan) => plan.level === level).map(({ answer }) => answer.requestId);
        if (requestIds.length === 0) continue;
        await eraseLockedRequests(em, { level, requestIds, ...common });
      }
      return { requests: plans.map(({ answer }) => answer), isComplete: rows.length <= maxRequests };
    },
    async answer({ requests, isComplete }) {
      await notifyPeers(deps);
      const requestIds = requests.map(({ requestId }) => requestId);
      return { requests: [...requests], isComplete, pending: await pendingPeers(deps.database, requestIds) };
    },
    loadPresent: async () => ({ requests: [], isComplete: false, pending: [] }),
  };
}

async function chooseRequests(
  em: EntityManager,
  wanted: OperatorInput<'requests.erase'>,
  deps: EraseRequestsDeps,
) {
  const { requestId = null, identificationNumber = null } = wanted;
  const rows = await choose.run(em, { requestId, identificationNumber });
  const plans = rows.slice(0, maxRequests).map((row) => planRow(row, deps));
  if (wanted.requestId !== undefined) refuseSingle(rows[0], plans[0]);
  return { rows, plans };
}

function planRow({ endedAt, notAfter, legalHoldAt, ...row }: Row, { rules }: EraseRequestsDeps) {
  const dates = { endedAt: new Date(endedAt), notAfter: toDate(notAfter), legalHoldAt: toDate(legalHoldAt) };
  return planErasure({ ...row, ...dates }, rules.retention);
}

function refuseSingle(row: Row | undefined, plan: PlannedErasure | undefined): void {
  if (row === undefined || plan === undefined) throw requestNotFound();
  if (plan.answer.refused === 'NOT_ENDED') throw stateNotAllowed(row.status);
  if (plan.answer.refused === 'LEGAL_HOLD')
    throw new AppError({
      code: 'REQUEST_STATE_NOT_ALLOWED',
      text: createText('operator.underLegalHold'),
    });
}
