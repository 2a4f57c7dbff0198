import { guardedSqlTable } from '@rubrica/database/guarded';
import { evidenceLinkTable } from './review/evidence-link-table.ts';

/**
 * Tables whose rows give permissions, each with the fields that do. Every new field of such a table belongs
 * here, unless it gives no permission.
 */
export const deskGuardedTables = [
  // The reviewer's remark is left out: it is erased with the applicant's data and gives no permission.
  guardedSqlTable('review_approval', ['requestId', 'attempt', 'operatorId', 'at']),
  evidenceLinkTable,
];
