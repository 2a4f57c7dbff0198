import { createEntryGuard } from '@rubrica/audit/entries';
import type { EntryGuard } from '@rubrica/database/entries';
import { createRowGuard, type RowGuard } from '@rubrica/database/guarded';
import { loadKeyring } from '@rubrica/process/keyring';
import { auditLog } from '../../src/certificate/audit-log.ts';
import {
  certificateTable,
  type GuardedStatusRow,
  guardedStatusSql,
} from '../../src/certificate/status-record.ts';
import { guardedTables } from '../../src/store/schema.ts';
import type { Generation } from './generation.ts';

type Surroundings = Pick<Generation, 'ground' | 'database'>;

/** The guard with the keys of the service under test. */
export async function openRows({ ground }: Pick<Surroundings, 'ground'>): Promise<RowGuard> {
  const files = { keysFile: ground.keys.keysFile.generation, peersFile: ground.keys.peersFile };
  const keys = await loadKeyring(files, 'generation');
  return createRowGuard({ keys, tables: guardedTables, onFailed: () => undefined });
}

/** MACs of audit entries by the keys of the service under test. */
export async function openEntries({ ground }: Pick<Surroundings, 'ground'>): Promise<EntryGuard> {
  const files = { keysFile: ground.keys.keysFile.generation, peersFile: ground.keys.peersFile };
  return createEntryGuard({ table: auditLog.table, keys: await loadKeyring(files, 'generation') });
}

/** As after an upgrade: for an hour entries and rows without a MAC are those of copies of the release before. */
export async function openMixedFleet({ database }: Pick<Surroundings, 'database'>): Promise<void> {
  await database.query(
    `insert into generation.audit_upgrade (last_id, ends_at) values (0, now() + interval '1 hour')`,
  );
}

/** From now on each entry needs its MAC. */
export async function endMixedFleet({ database }: Pick<Surroundings, 'database'>): Promise<void> {
  await database.query('update generation.audit_upgrade set ends_at = clock_timestamp()');
}

/** Gives certificates that a test wrote by SQL the MACs that the service would have written. */
export async function writeMacs(env: Surroundings, where = 'c.mac is null'): Promise<void> {
  const rows = await openRows(env);
  const found = await env.database.query<{ row: GuardedStatusRow }>(
    `select ${guardedStatusSql('c')} as row from generation.certificate as c where ${where}`,
  );
  const macs = found.map(({ row }) => rows.protect(certificateTable.name, entityOf(row), row.version).mac);
  await env.database.query(
    `update generation.certificate set mac = made.mac
     from unnest($1::uuid[], $2::text[]) as made (id, mac) where certificate.id = made.id`,
    [found.map(({ row }) => row.id), macs],
  );
}

function entityOf(row: GuardedStatusRow): Record<string, unknown> {
  const stored = row as unknown as Readonly<Record<string, unknown>>;
  const fields = certificateTable.fields.map(({ name, column }) => [name, stored[column]]);
  return { ...Object.fromEntries(fields), id: row.id };
}
