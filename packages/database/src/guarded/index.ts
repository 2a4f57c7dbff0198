export { checkRows } from './check-rows.ts';
export { forwardRowsSql } from './forward-rows-sql.ts';
export {
  type GuardedTable,
  guardedColumns,
  guardedColumnsSql,
  guardedSqlTable,
  guardedTable,
} from './guarded-table.ts';
export { createRowGuard, type FailedRow, findIntact, ifIntact, type RowGuard } from './row-guard.ts';
