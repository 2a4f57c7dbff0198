import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { RowGuard } from '@rubrica/database/guarded';
import { lockName } from '@rubrica/database/lock';
import { AppError } from '@rubrica/process/errors';
import type { OperatorCaller } from '@rubrica/process/trpc';
import { breakGlassOperator } from '../operators/break-glass-operator.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { countAdministrators } from './administrators.ts';
import { operatorNotFound } from './operator-view.ts';

/**
 * Loads and locks an operator in order to change its rights, for another operator.
 * @throws AppError REQUEST_NOT_FOUND, FORBIDDEN for one's own account
 */
export async function lockOther(
  em: EntityManager,
  id: string,
  operator: Pick<OperatorCaller, 'operatorId'>,
): Promise<Operator> {
  if (operator.operatorId === id) {
    const text = createText('operator.ownAccount');
    throw new AppError({ code: 'FORBIDDEN', text });
  }
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const found = await em.findOne(OperatorEntity, { id }, options);
  if (!found) throw operatorNotFound();
  return found;
}

/** Locks an operator other than break-glass, which has no password and no address: it can only be ended. */
export async function lockPerson(
  em: EntityManager,
  id: string,
  operator: Pick<OperatorCaller, 'operatorId'>,
): Promise<Operator> {
  if (id !== breakGlassOperator.id) return lockOther(em, id, operator);
  throw new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('operator.breakGlassAccount'),
  });
}

/**
 * Acquires the lock for changes of operators. A change locks the row of the decider, then the row that is
 * changed: two administrators who change each other concurrently would deadlock.
 */
export function lockOperatorChanges(em: EntityManager): Promise<void> {
  return lockName(em, 'operators', { previous: 'intake operators' });
}

/** Returns the state to which a proposed change of an operator is bound. */
export function toOperatorState({ id: operatorId, email, role, enabled, gen }: Operator): object {
  return { operatorId, email, role, enabled, version: String(gen) };
}

/** Ends all tokens of an operator, because one of its rights ends. */
export function endRights(operator: Operator): void {
  operator.gen += 1;
}

const minAdministrators = 2;

/**
 * Requires that two administrators remain when one is disabled or gets another role; otherwise nobody could
 * approve such changes. The transaction has called `lockFirst`: two administrators who leave concurrently would
 * each count the other.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED
 */
export async function assertOthersRemain(
  em: EntityManager,
  { id, role, enabled }: Operator,
  rows: Pick<RowGuard, 'isIntact'>,
): Promise<void> {
  if (role !== 'admin' || !enabled || id === breakGlassOperator.id) return;
  if ((await countAdministrators(em, rows)) > minAdministrators) return;
  throw new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('operator.twoAdministratorsLeft'),
  });
}
