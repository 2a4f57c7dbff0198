import type { OperatorUseCase } from '@rubrica/wiring';
import {
  type ApprovalDeps,
  approvalRows,
  pageRows,
  parseUuid,
  readWaiting,
  toApproval,
} from './waiting-change.ts';

type Approval = ReturnType<typeof toApproval>;
type ReadDeps = Pick<ApprovalDeps, 'service' | 'database' | 'clock' | 'rows'>;

/** Creates the list of waiting changes, newest first. */
export function createListChanges(deps: ReadDeps): OperatorUseCase<'approvals.list'> {
  const { service, database, clock, rows } = deps;
  return async ({ cursor, limit }) => {
    let before = cursor === undefined ? null : parseUuid(cursor);
    const now = clock();
    const items: Approval[] = [];
    // The cursor follows the rows that were read, so that a forged row hides none of the later ones.
    for (let left = limit; left > 0; ) {
      const asked = Math.min(left, pageRows);
      const page = await approvalRows.list.run(database, { before, now, limit: asked + 1 });
      for (const row of page.slice(0, asked)) {
        if (rows.isIntact('approval', row.stored)) items.push(shorten(toApproval(service, row)));
        before = row.id;
      }
      left -= asked;
      if (page.length <= asked) return { items, nextCursor: null, unanswered: [] };
    }
    return { items, nextCursor: before === null ? null : `${service}.${before}`, unanswered: [] };
  };
}

/** Creates the complete view of one waiting change. @throws AppError REQUEST_NOT_FOUND */
export function createGetChange(deps: ReadDeps): OperatorUseCase<'approvals.get'> {
  return async ({ id }) => toApproval(deps.service, await readWaiting(deps, deps.database, id));
}

const maxShown = 1_000;

/** Shortens long values: a list of pictures would not fit into one answer; `approvals.get` returns one completely. */
function shorten(approval: Approval): Approval {
  const { change, before, after } = approval;
  return {
    ...approval,
    change: { ...change, input: cut(change.input) },
    before: before && cut(before),
    after: cut(after),
  };
}

function cut(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > maxShown;
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    isLong(value) ? `${value.slice(0, maxShown)}…` : value,
  ]);
  return Object.fromEntries(entries);
}
