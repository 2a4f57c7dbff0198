import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { AdministratorChange } from '@rubrica/wiring/approvals';
import { requestNotFound, stateNotAllowed } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import type { Request } from '../request/request.entity.ts';
import { eraseNamed } from './erase-statement.ts';
import { type PlannedErasure, planErasure } from './plan-erasure.ts';
import { pendingPeers, tellPeers } from './tell-peers.ts';

type Needs = Pick<RequestsDeps, 'database' | 'clock' | 'rules' | 'logger' | 'peers'>;

/** Of one applicant in one call; who has more is told so. */
const mostRequests = 100;

interface Chosen {
  readonly requestId: string | null;
  readonly identificationNumber: string | null;
}

interface Row extends Pick<Request, 'id' | 'status'> {
  readonly endedAt: string;
  readonly notAfter: string | null;
  readonly legalHoldAt: string | null;
}

/** One of both is given. In the order of their ids: two erasures at once wait for each other and never in a circle. */
const choose = statement<Chosen, Row>({
  name: 'choose-erased',
  sql: `
select id, status, updated_at as "endedAt", not_after as "notAfter", legal_hold_at as "legalHoldAt" from request
where (id = :requestId::uuid or (identification_number = :identificationNumber and identification_number <> ''))
  and (erase_requested_at is null or :requestId::uuid is not null)
order by id limit ${mostRequests + 1} for update`,
});

function date(text: string | null) {
  return text === null ? null : new Date(text);
}

/**
 * Erases of one request, or of all of an applicant's, what the law does not ask to keep: in one transaction with its
 * audit rows and the orders to generation and notifier, which are then told until each has confirmed.
 * @throws AppError REQUEST_NOT_FOUND; REQUEST_STATE_NOT_ALLOWED for one that has not ended or is under legal hold
 */
export function createEraseRequests(deps: Needs): AdministratorChange<'requests.erase'> {
  return {
    async before(em, wanted) {
      const { rows } = await chosen(em, wanted, deps);
      return { requests: rows.map(({ id, status }) => ({ requestId: id, status })) };
    },
    async make(em, wanted, operator) {
      const { rows, plans } = await chosen(em, wanted, deps);
      const common = { actor: `operator:${operator.email}`, reason: wanted.reason, now: deps.clock() };
      for (const level of ['all', 'secrets'] as const) {
        const requestIds = plans.filter((plan) => plan.level === level).map(({ answer }) => answer.requestId);
        if (requestIds.length === 0) continue;
        await eraseNamed(em, { level, requestIds, ...common });
      }
      return async () => {
        await tellPeers(deps);
        const requests = plans.map(({ answer }) => answer);
        const requestIds = requests.map(({ requestId }) => requestId);
        const pending = await pendingPeers(deps.database, requestIds);
        return { requests, isComplete: rows.length <= mostRequests, pending };
      };
    },
    asItIs: async () => ({ requests: [], isComplete: false, pending: [] }),
  };
}

async function chosen(em: EntityManager, wanted: OperatorInput<'requests.erase'>, deps: Needs) {
  const { requestId = null, identificationNumber = null } = wanted;
  const rows = await choose.run(em, { requestId, identificationNumber });
  const plans = rows.slice(0, mostRequests).map((row) => planned(row, deps));
  if (wanted.requestId !== undefined) refuseOne(rows[0], plans[0]);
  return { rows, plans };
}

function planned({ endedAt, notAfter, legalHoldAt, ...row }: Row, { rules }: Needs) {
  const dates = { endedAt: new Date(endedAt), notAfter: date(notAfter), legalHoldAt: date(legalHoldAt) };
  return planErasure({ ...row, ...dates }, rules.retention);
}

function refuseOne(row: Row | undefined, plan: PlannedErasure | undefined): void {
  if (row === undefined || plan === undefined) throw requestNotFound();
  if (plan.answer.refused === 'NOT_ENDED') throw stateNotAllowed(row.status);
  if (plan.answer.refused === 'LEGAL_HOLD')
    throw new AppError({
      code: 'REQUEST_STATE_NOT_ALLOWED',
      text: createText('operator.underLegalHold'),
    });
}
