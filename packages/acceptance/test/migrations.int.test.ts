import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { databaseServiceSchema } from '@rubrica/contracts/shared/enumerations';
import { readMigrations } from '@rubrica/database/migrate';
import { scratchDirectory } from '@rubrica/testkit';
import { formerRelease, hasFormerRelease } from '@rubrica/testkit/former-release';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './house/workspaces.ts';
import { unsafeStatements } from './support/unsafe-statements.ts';

const migrationsOf = (checkout: string, service: string) =>
  readMigrations(pathToFileURL(join(checkout, 'apps', service, 'migrations/')));

// A clone without history has nothing to compare with.
describe.skipIf(!hasFormerRelease()).each(databaseServiceSchema.options)(
  'migrations of %s since the release before (not in a shallow clone)',
  (service) => {
    it('expand and do not contract: the code of that release runs on them', async () => {
      await using folder = await scratchDirectory('migrations');
      const released = (await migrationsOf((await formerRelease()).folder, service)).map(({ name }) => name);
      const present = await migrationsOf(root, service);
      // The first file stands for what that release had, which `upgrade.int.test.ts` compares.
      const added = present.filter(
        ({ name, replaces }) => !released.includes(name) && replaces === undefined,
      );
      expect(added).not.toEqual([]);
      const files = added.map(({ name }) => join(folder.path, `${name}.sql`));
      await Promise.all(added.map(({ sql }, index) => writeFile(files[index] ?? '', sql)));
      expect(await unsafeStatements(files)).toEqual([]);
    });
  },
);

describe('what finds a migration that contracts', () => {
  const resources = new AsyncDisposableStack();
  let folder: string;
  beforeAll(async () => {
    folder = resources.use(await scratchDirectory('migrations')).path;
  });
  afterAll(() => resources.disposeAsync());

  async function found(sql: string): Promise<string[]> {
    const file = join(folder, 'seeded.sql');
    await writeFile(file, sql);
    return unsafeStatements([file]);
  }

  it.each([
    ['a new column that old code leaves out', 'alter table request add column note text not null;'],
    ['a column that old code reads', 'alter table request drop column status;'],
    ['a table that old code reads', 'drop table request;'],
    ['a new name of a column', 'alter table request rename column status to state;'],
    ['a new name of a table', 'alter table request rename to requests;'],
    ['another type', 'alter table request alter column status type integer;'],
    ['an index that keeps writers waiting', 'create index request_status on request (status);'],
    ['a check of all rows', 'alter table request add constraint known check (status <> 0);'],
    ['a statement that is none', 'alter tabel request add column note text;'],
  ])('names %s', async (_, sql) => {
    expect(await found(sql)).toEqual([expect.stringMatching(/^seeded\.sql:\d+ [a-z-]+$/)]);
  });

  it.each([
    ['a table of its own', 'create table note (id uuid primary key); create index note_id on note (id);'],
    ['a column that may be empty', 'alter table request add column note text;'],
    ['a column with a default', "alter table request add column note text not null default '';"],
    ['an index made beside writers', 'create index concurrently request_status on request (status);'],
    [
      'what is ignored with a reason',
      '-- squawk-ignore ban-drop-column\nalter table request drop column status;',
    ],
  ])('lets %s pass', async (_, sql) => {
    expect(await found(sql)).toEqual([]);
  });
});
