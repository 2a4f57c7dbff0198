import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchDirectory } from '@rubrica/testkit';
import { formerRelease, hasFormerRelease } from '@rubrica/testkit/former-release';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryFiles, root } from './house/workspaces.ts';
import { unsafeStatements } from './support/unsafe-statements.ts';

const migrations = repositoryFiles.filter((path) => /^apps\/\w+\/migrations\/.*\.sql$/.test(path));

function readAt(checkout: string, path: string): string | undefined {
  try {
    return readFileSync(join(checkout, path), 'utf8');
  } catch {
    return undefined;
  }
}

// A clone without history has nothing to compare with.
describe.skipIf(!hasFormerRelease())('migrations since the release before (not in a shallow clone)', () => {
  let released: string;
  beforeAll(async () => {
    released = (await formerRelease()).folder;
  });

  it('expand and do not contract: the code of that release runs on them', async () => {
    const added = migrations.filter((path) => readAt(released, path) === undefined);
    expect(await unsafeStatements(added.map((path) => join(root, path)))).toEqual([]);
  });

  it('stand beside those of that release, which are as they were', () => {
    const changed = migrations.filter((path) => {
      const before = readAt(released, path);
      return before !== undefined && before !== readAt(root, path);
    });
    expect(changed).toEqual([]);
  });
});

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
