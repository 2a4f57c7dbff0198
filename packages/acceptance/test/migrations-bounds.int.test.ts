import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseServiceSchema } from '@rubrica/contracts/shared/enumerations';
import { acquireDatabases, type TestDatabases } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './house/workspaces.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, 'support/migrate-checkout.ts');

/** Values that fail arithmetic or fill the memory of a reader, by type of the column, as JSON. */
const extremes: Readonly<Record<string, readonly string[]>> = {
  smallint: ['32767', '-32768'],
  integer: ['2147483647', '-2147483648'],
  bigint: ['9223372036854775807', '-9223372036854775808'],
  'double precision': ['"NaN"', '"Infinity"', '"-Infinity"'],
  date: ['"-infinity"', '"5874897-12-31"'],
  'timestamp with time zone': ['"-infinity"', '"294276-12-31T00:00:00Z"'],
};
/** Types whose values all are small. */
const small = ['uuid', 'boolean'];
/** Times without end, which the service writes itself. */
const endless = ['request.next_reminder_at', 'request.supersede_due_at', 'audit.at', 'audit_entry.at'];
/** Bytes that a column has to refuse; sealed texts have this form. */
const sealedForm = 'eyJa.b.c.';
const mebibytes: Readonly<Record<string, number>> = {
  'delivery.body': 5,
  'crl_piece.der': 3,
  'evidence.content': 65,
  'terms_version.content': 5,
};

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isArray: boolean;
}

describe('every column that a service writes has a bound', () => {
  const resources = new AsyncDisposableStack();
  let databases: TestDatabases;
  beforeAll(async () => {
    databases = resources.use(await acquireDatabases());
  });
  afterAll(() => resources.disposeAsync());

  async function migrated(service: string) {
    const database = await databases.createDatabase();
    const { ownerUrl, appRole } = await database.createService(service);
    await run(process.execPath, [program, root, service, ownerUrl, appRole]);
    return { database, appRole };
  }
  type Migrated = Awaited<ReturnType<typeof migrated>>;

  const columnsOf = ({ database, appRole }: Migrated, service: string) =>
    database.query<Column>(
      `select relname as table, attname as name, typcategory = 'A' as "isArray",
         format_type(case when typtype = 'd' then typbasetype else atttypid end, null) as type
       from pg_attribute join pg_class on pg_class.oid = attrelid join pg_type on pg_type.oid = atttypid
       where relnamespace = $1::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
         and attgenerated = '' and attidentity = ''
         and (has_column_privilege($2, attrelid, attnum, 'insert') or has_column_privilege($2, attrelid, attnum, 'update'))
       order by 1, attnum`,
      [service, appRole],
    );

  const checksOf = ({ database }: Migrated, service: string) =>
    database.query<{ table: string; condition: string }>(
      `select relname as table, string_agg(format('(%s)', pg_get_expr(conbin, conrelid)), ' and ') as condition
       from pg_constraint join pg_class on pg_class.oid = conrelid
       where contype = 'c' and relnamespace = $1::regnamespace group by relname`,
      [service],
    );

  /** Lists the values that no check of their table refuses, each in a row with nothing else. */
  async function findUnbounded(schema: Migrated, service: string, columns: readonly Column[]) {
    const checks = new Map((await checksOf(schema, service)).map((row) => [row.table, row.condition]));
    const parts = columns.flatMap((column) =>
      valuesFor(column).map((value) => {
        const { table, name } = column;
        return `select '${table}.${name}' as name from jsonb_populate_record(null::${service}.${table},
          jsonb_build_object('${name}', ${value})) as ${table} where (${checks.get(table) ?? 'true'}) is not false`;
      }),
    );
    const found = await schema.database.query<{ name: string }>(parts.join('\nunion all\n'));
    return found.map(({ name }) => name);
  }

  function valuesFor({ table, name, type, isArray }: Column): readonly string[] {
    const path = `${table}.${name}`;
    const large = `'${sealedForm}' || repeat('x', (${mebibytes[path] ?? 1.1} * 1048576)::integer)`;
    if (isArray) return [`array[${large}]`];
    if (['text', 'bytea', 'jsonb'].includes(type)) return [large];
    const values = (extremes[type] ?? []).map((value) => `'${value}'::jsonb`);
    return type.startsWith('timestamp') && !endless.includes(path)
      ? [...values, `'"infinity"'::jsonb`]
      : values;
  }

  it.each(databaseServiceSchema.options)('%s', async (service) => {
    const schema = await migrated(service);
    const columns = (await columnsOf(schema, service)).filter(({ type }) => !small.includes(type));
    expect(columns.filter((column) => valuesFor(column).length === 0)).toEqual([]);
    // A new table needs `select bound_rows('<table>')` in its migration, a new column the same once more.
    expect(await findUnbounded(schema, service, columns)).toEqual([]);
  });

  it('names a column without one', async () => {
    const schema = await migrated('terms');
    await schema.database.query(
      `create table terms.note (text text, read integer); grant all on terms.note to ${schema.appRole}`,
    );
    const unbounded = async () =>
      findUnbounded(
        schema,
        'terms',
        (await columnsOf(schema, 'terms')).filter(({ table }) => table === 'note'),
      );
    expect(await unbounded()).toEqual(expect.arrayContaining(['note.text', 'note.read']));
    const bound = `set search_path = terms, public; select bound_rows('terms.note'); set search_path = public`;
    await schema.database.query(bound);
    expect(await unbounded()).toEqual([]);
    await schema.database.query('alter table terms.note add column count integer');
    expect(new Set(await unbounded())).toEqual(new Set(['note.count']));
    await schema.database.query(bound);
    expect(await unbounded()).toEqual([]);
  });

  it('a number that a statement counts up moves by one, and begins low', async () => {
    const { database, appRole } = await migrated('notifier');
    await database.query('create table notifier.note (id integer primary key, count integer, other bigint)');
    await database.query(
      `grant all on notifier.note to ${appRole}; set search_path = notifier, public;
       select step_rows('notifier.note', 'count', 'other'); set search_path = public`,
    );
    const asRole = (sql: string) =>
      database.query(`set role ${appRole}; ${sql}`).finally(() => database.query('reset role'));
    await asRole('insert into notifier.note values (1, 1, null), (2, 1, 7)');
    await asRole('update notifier.note set count = count + 1, other = coalesce(other, 0) + 1');
    await asRole('update notifier.note set count = 0');
    for (const sql of [
      'insert into notifier.note values (3, 2000000, 1)',
      'update notifier.note set count = count + 2 where id = 1',
      'update notifier.note set other = 2147483647 where id = 2',
    ])
      await expect(asRole(sql)).rejects.toThrow('numbers of note move forward one by one');
    // The owner restores rows.
    await database.query('update notifier.note set count = 2000000');
  });

  it.each([
    ['intake', 'request', ['version', 'fence', 'publish_count', 'attempts', 'retention_version']],
    ['intake', 'operator', ['version', 'gen']],
    ['intake', 'evidence_lock', ['fence', 'asked']],
    ['intake', 'retention_order', ['fence']],
    ['notifier', 'delivery', ['fence', 'attempts', 'round_attempts']],
    ['notifier', 'message', ['fence', 'attempts', 'round_attempts']],
    ['notifier', 'notice', ['fence', 'attempts', 'round_attempts']],
    ['generation', 'issuance', ['fence', 'attempts', 'announcements']],
    ['terms', 'terms_version', ['row_version']],
  ] as const)('%s: rows of %s', async (service, table, names) => {
    const { database } = await migrated(service);
    const [found] = await database.query<{ body: string }>(
      `select pg_get_functiondef(tgfoid) as body from pg_trigger
       where tgrelid = '${service}.${table}'::regclass and tgname = '${table}_in_step' and tgenabled = 'O'`,
    );
    for (const name of names) expect(found?.body).toContain(`new.${name} > old.${name}::bigint + 1`);
  });
});
