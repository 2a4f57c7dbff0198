export { type DecidedParams, decidedColumns, decidedRetentionSql } from './decided-retention.ts';
