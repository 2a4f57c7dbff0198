import { keyset, readPage } from '@rubrica/database';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { OperatorEntity } from '../operator.entity.ts';
import { toOperatorView } from './operator-view.ts';

type ListOperators = OperatorUseCase<'operators.list'>;

const byCreation = keyset('createdAt');

/** One page, newest first. */
export function createListOperators({
  database,
  rows,
}: Pick<IntakeDeps, 'database' | 'rows'>): ListOperators {
  return ({ cursor, limit, role, enabled }) =>
    readPage(rows.forShowing(database.fork()), [OperatorEntity, toOperatorView], {
      keyset: byCreation,
      filters: { role, enabled },
      cursor,
      limit,
    });
}
