import type { AuditTable } from '@rubrica/audit/log';
import type { SqlRunner } from '@rubrica/database/connection';
import { type AppendOnlyTable, type Migration, readMigrations } from '@rubrica/database/migrate';

/** Schema of a service in this release. */
export interface ReleaseSchema {
  readonly schema: string;
  /** Folder `migrations/` of the service. */
  readonly folder: URL;
  /** Migrations that come from packages. */
  readonly base: readonly Migration[];
  /** Table of the audit log, to which the running service may only add. */
  readonly audit: AuditTable;
  /** Other tables to which it may only add. */
  readonly appendOnly?: readonly AppendOnlyTable[];
  /** Tables that it may only read. */
  readonly readOnly?: readonly string[];
}

/** Lists the migrations of this release that have not run, by name. Rejects if there is no schema. */
export async function missingMigrations(
  sql: SqlRunner,
  { schema, folder, base }: Pick<ReleaseSchema, 'schema' | 'folder' | 'base'>,
): Promise<string[]> {
  const rows = await sql.execute<{ name: string }>(`select name from ${schema}.migrations`);
  const applied = new Set(rows.map(({ name }) => name));
  const names = [...base, ...(await readMigrations(folder))].map(({ name }) => name);
  return names.filter((name) => !applied.has(name));
}
