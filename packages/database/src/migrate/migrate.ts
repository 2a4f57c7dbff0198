import { createHash } from 'node:crypto';
import { Migrator, Migration as OrmMigration } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { ormLogger } from '../connection/orm-logger.ts';
import { connectionConfig } from '../connection/settings.ts';
import type { DatabaseLogger } from '../logger.ts';
import { type AppendOnlyTable, grantStatements } from './grants.ts';
import { InvalidMigrations, type Migration, sortMigrations } from './migration.ts';
import { type MigrationLock, takeMigrationLock } from './migration-lock.ts';
import { decideSandboxMark, type SandboxMark, type SandboxRequest } from './sandbox-mark.ts';

export interface MigrateOptions {
  /** URL of the role that owns the schema. */
  readonly ownerUrl: string;
  readonly schema: string;
  /** Role of the running service, which gets DML rights only. */
  readonly appRole: string;
  readonly migrations: readonly Migration[];
  /** Further statements on the rights of the service's role, such as those on an audit log. */
  readonly grants?: readonly string[];
  /** Further tables that are evidence. */
  readonly appendOnly?: readonly AppendOnlyTable[];
  /** Tables that only the migrations write. */
  readonly readOnly?: readonly string[];
  /** Marks the schema, once, as usable for a sandbox or not. */
  readonly sandbox?: SandboxRequest;
  readonly logger: DatabaseLogger;
  /** Time to wait for another process that is migrating. Default 5 min. */
  readonly waitMs?: number;
}

/**
 * Brings a schema up to date and grants the application role its rights. It is a separate step before the service
 * starts; several at once wait for each other, and all but the first find nothing to do.
 * @returns the names of the migrations that were run
 * @throws InvalidMigrations if a migration that has run was edited since, because history is not rewritten; also if a
 * migration replaces former ones of which only some have run
 * @throws NotASandbox before anything is changed
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = sortMigrations(options.migrations);
  const client = new pg.Client(ownerConnection(options));
  // A connection lost while migrations run appears in the next check of the lock, not as a crash.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await prepare(client, options.schema);
    const lock = await takeMigrationLock(client, options);
    const mark = options.sandbox && (await readSandboxMark(client, options.sandbox));
    const checksums = await readChecksums(client);
    refuseRewrittenHistory(migrations, checksums);
    const replaced = migrations.filter((step) => isReplaced(step, checksums));
    const pending = migrations.filter((step) => !replaced.includes(step));
    const applied = await runPending(options, { migrations: pending, lock });
    const statements = [
      ...replaced.flatMap(recordStatements),
      ...markStatements(mark),
      ...grantStatements(options),
      'commit',
    ];
    // In one transaction: a running service never sees the rights half changed.
    await client.query(statements.join(';\n'));
    return applied;
  } finally {
    await client.end();
  }
}

function ownerConnection(options: MigrateOptions): pg.ClientConfig {
  return connectionConfig({
    url: options.ownerUrl,
    schema: options.schema,
    applicationName: `rubrica-${options.schema}-migrate`,
    statementTimeoutMs: 0,
    // A migration that waits for a long transaction makes every later statement wait too.
    serverSettings: { lock_timeout: '10s' },
  });
}

/** Creates what the lock needs. If two run at once, the second finds that the first has created it, and looks again. */
async function prepare(client: pg.Client, schema: string, attempts = 5): Promise<void> {
  try {
    // Not "if not exists", which needs the right to create schemas even if the schema exists.
    const found = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
    if (found.rowCount === 0) await client.query(`create schema "${schema}"`);
    await client.query(`create table if not exists migration_checksums (
      name text primary key, sha256 text not null)`);
    await client.query(`create table if not exists installation (
      one boolean primary key default true check (one), is_sandbox boolean not null, marked_at timestamptz not null default now())`);
  } catch (error) {
    const isCreatedByAnother = ['23505', '42P06', '42P07'].includes((error as { code?: string }).code ?? '');
    if (!isCreatedByAnother || attempts === 1) throw error;
    await prepare(client, schema, attempts - 1);
  }
}

async function readSandboxMark(client: pg.Client, request: SandboxRequest): Promise<SandboxMark> {
  const { rows: marks } = await client.query<SandboxMark>(
    'select is_sandbox as "isSandbox" from installation',
  );
  const { rows: applied } = await client.query('select from migration_checksums limit 1');
  return decideSandboxMark(marks[0], { ...request, isNew: applied.length === 0 });
}

function markStatements(mark: SandboxMark | undefined): string[] {
  if (mark === undefined) return [];
  return [`insert into installation (is_sandbox) values (${mark.isSandbox}) on conflict do nothing`];
}

type Checksums = ReadonlyMap<string, string>;

/** Reads the checksums of the migrations that have run, by name. */
async function readChecksums(client: pg.Client): Promise<Checksums> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migration_checksums',
  );
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

/**
 * Tells whether a migration replaces former ones that have run here.
 * @throws InvalidMigrations if only some of them have run
 */
function isReplaced({ name, replaces = [] }: Migration, applied: Checksums): boolean {
  if (applied.has(name)) return false;
  const missing = replaces.filter((former) => !applied.has(former));
  if (missing.length === replaces.length) return false;
  if (missing.length === 0) return true;
  throw new InvalidMigrations(
    `${name}: of what it replaces, ${missing.join(', ')} has not run; provision the release that had it first`,
  );
}

/** Records a migration as run. The migrator's table exists, because former migrations have run. */
function recordStatements(step: Migration): string[] {
  return [`insert into migrations (name) values ('${step.name}')`, checksumStatement(step)];
}

function checksumStatement(step: Migration): string {
  return `insert into migration_checksums values ('${step.name}', '${checksum(step)}')`;
}

function refuseRewrittenHistory(migrations: readonly Migration[], applied: Checksums): void {
  const edited = migrations.filter((step) => (applied.get(step.name) ?? checksum(step)) !== checksum(step));
  if (edited.length === 0) return;
  const names = edited.map(({ name }) => name).join(', ');
  throw new InvalidMigrations(`${names}: has run and was edited since; write a new migration instead`);
}

function checksum({ sql }: Migration) {
  return createHash('sha256').update(sql.trim()).digest('hex');
}

async function runPending(
  options: MigrateOptions,
  work: { migrations: readonly Migration[]; lock: MigrationLock },
): Promise<string[]> {
  const orm = new MikroORM({
    entities: [],
    extensions: [Migrator],
    clientUrl: options.ownerUrl,
    schema: options.schema,
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    loggerFactory: () => ormLogger(options.logger),
    driverOptions: { ...ownerConnection(options), max: 1 },
    migrations: {
      tableName: 'migrations',
      migrationsList: work.migrations.map((step) => ({ name: step.name, class: migrationClass(step) })),
      transactional: true,
      // Each migration commits separately: completed ones stay, and the next start continues after them.
      allOrNothing: false,
      disableForeignKeys: false,
      snapshot: false,
      silent: true,
    },
  });
  try {
    orm.migrator.on('migrating', async ({ name }) => {
      await work.lock.assertHeld();
      options.logger.info({ migration: name, schema: options.schema }, 'migrating');
    });
    return (await orm.migrator.up()).map(({ name }) => name);
  } finally {
    await orm.close();
  }
}

/** Wraps a migration in a class, which the ORM requires. The checksum is written in the migration's own transaction. */
function migrationClass(step: Migration) {
  return class extends OrmMigration {
    override up(): void {
      this.addSql(step.sql);
      this.addSql(checksumStatement(step));
    }
    override isTransactional(): boolean {
      return step.withoutTransaction !== true;
    }
  };
}
