import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { lockName, type RowGuard } from '@rubrica/database';
import { AppError, type OperatorCaller } from '@rubrica/process';
import { breakGlassOperator } from '../operators/break-glass-operator.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { countAdministrators } from './administrators.ts';
import { operatorNotFound } from './operator-view.ts';

/**
 * An operator in order to change what he may, for another one.
 * @throws AppError REQUEST_NOT_FOUND, FORBIDDEN for oneself
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

/** A break-glass operator has no password and no address: all that can be done about it is to end it. */
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
 * A change locks the row of who decides, and then that of who is changed: two administrators who change each other at the
 * same moment would each wait for the other.
 */
export function inTurn(em: EntityManager): Promise<void> {
  return lockName(em, 'operators', { previous: 'intake operators' });
}

/** What a proposed change of an operator is bound to. */
export function operatorAsItIs({ id: operatorId, email, role, enabled, gen }: Operator): object {
  return { operatorId, email, role, enabled, version: String(gen) };
}

/** A right of the operator ends, and with it all tokens that were made from it. */
export function endRights(operator: Operator): void {
  operator.gen += 1;
}

const fewest = 2;

/**
 * Before an operator is disabled or gets another role: two administrators remain, or nobody could decide on what takes two.
 * The transaction has called `inTurn`: two of them who leave at the same moment would each count the other.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED
 */
export async function assertOthersRemain(
  em: EntityManager,
  { id, role, enabled }: Operator,
  rows: Pick<RowGuard, 'isIntact'>,
): Promise<void> {
  if (role !== 'admin' || !enabled || id === breakGlassOperator.id) return;
  if ((await countAdministrators(em, rows)) > fewest) return;
  throw new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('operator.twoAdministratorsLeft'),
  });
}
