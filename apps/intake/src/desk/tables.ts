import { guardedSqlTable } from '@rubrica/database';
import { evidenceLinkTable } from './review/evidence-link-table.ts';

/** Rows that give permissions, each with the fields that do. A new field of such a table belongs here, unless it gives none. */
export const deskGuardedTables = [
  // What a reviewer wrote beside it is erased with the applicant's data, and counts for nothing.
  guardedSqlTable('review_approval', ['requestId', 'attempt', 'operatorId', 'at']),
  evidenceLinkTable,
];
