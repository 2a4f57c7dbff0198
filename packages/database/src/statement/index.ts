export {
  type ColumnMap,
  type NamedStatement,
  type StatementOptions,
  type StatementTarget,
  statement,
  toColumns,
} from './statement.ts';
