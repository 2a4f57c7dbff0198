import type { OperatorUseCase } from '@rubrica/wiring';
import { type ApprovalDeps, approvalRows, parseUuid, readWaiting, toApproval } from './waiting-change.ts';

type Approval = ReturnType<typeof toApproval>;
type ReadDeps = Pick<ApprovalDeps, 'service' | 'database' | 'clock' | 'rows'>;

/** Creates the list of waiting changes, newest first. */
export function createListChanges(deps: ReadDeps): OperatorUseCase<'approvals.list'> {
  const { service, database, clock, rows } = deps;
  return async ({ cursor, limit }) => {
    const before = cursor === undefined ? null : parseUuid(cursor);
    const found = await approvalRows.list.run(database, { before, now: clock(), limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      // The cursor follows the rows that were read, so that a forged row hides none of the later ones.
      items: page
        .filter(({ stored }) => rows.isIntact('approval', stored))
        .map((row) => shorten(toApproval(service, row))),
      nextCursor: found.length > limit && last ? `${service}.${last.id}` : null,
      unanswered: [],
    };
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
