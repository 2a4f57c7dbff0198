import { createKeyset, readPage } from '@rubrica/database/keyset';
import type { OperatorUseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { viewOperators } from './operator-view.ts';

type ListOperators = OperatorUseCase<'operators.list'>;

const byCreation = createKeyset('createdAt');

/** Lists one page, newest first. */
export function createListOperators({
  database,
  rows,
}: Pick<AccessDeps, 'database' | 'rows'>): ListOperators {
  return async ({ cursor, limit, role, enabled }) => {
    const em = rows.forShowing(database.fork());
    const { items, nextCursor } = await readPage(em, [OperatorEntity, (operator: Operator) => operator], {
      keyset: byCreation,
      filters: { role, enabled },
      cursor,
      limit,
    });
    return { items: await viewOperators(em, items), nextCursor };
  };
}
