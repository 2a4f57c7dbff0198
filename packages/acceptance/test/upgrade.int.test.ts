import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { databaseServiceSchema } from '@rubrica/contracts/shared/enumerations';
import { readMigrations } from '@rubrica/database/migrate';
import { acquireDatabases, type TestDatabases } from '@rubrica/testkit';
import { ensureCheckout, formerRelease, hasCommit, hasFormerRelease } from '@rubrica/testkit/former-release';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './house/workspaces.ts';
import { describeSchema } from './support/describe-schema.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, 'support/migrate-checkout.ts');

const migrationsOf = (checkout: string, service: string) =>
  readMigrations(pathToFileURL(join(checkout, 'apps', service, 'migrations/')));

const databaseServices = databaseServiceSchema.options;

/** The last commit that had a file for each migration. */
const fileEach = { version: 'file-each', commit: '26a380724' };

describe.skipIf(!hasFormerRelease() || !hasCommit(fileEach.commit))(
  'a database that is upgraded has the schema of a new one (not in a shallow clone)',
  () => {
    const resources = new AsyncDisposableStack();
    let databases: TestDatabases;
    let released: string;
    let before: string;
    beforeAll(async () => {
      databases = resources.use(await acquireDatabases());
      released = (await formerRelease()).folder;
      before = await ensureCheckout(fileEach);
    });
    afterAll(() => resources.disposeAsync());

    /** Migrates one database by several checkouts, one after the other. */
    async function migratedBy(service: string, checkouts: readonly string[]) {
      const database = await databases.createDatabase();
      const { ownerUrl, ownerRole, appRole } = await database.createService(service);
      for (const checkout of checkouts) {
        // Its copies take advisory locks, which `roles.sql` forbids today.
        const change = checkout === released ? ['grant', 'to'] : ['revoke', 'from'];
        await database.query(
          `${change[0]} execute on function pg_try_advisory_lock(bigint) ${change[1]} ${ownerRole}`,
        );
        await run(process.execPath, [program, checkout, service, ownerUrl, appRole]);
      }
      const applied = await database.query<{ name: string }>(`select name from ${service}.migrations`);
      return { schema: await describeSchema(database, service), applied: applied.map(({ name }) => name) };
    }

    it.each(databaseServices)('%s: of release 0.1.0', async (service) => {
      const created = await migratedBy(service, [root]);
      const upgraded = await migratedBy(service, [released, root]);
      expect(upgraded.schema).toEqual(created.schema);
      expect(new Set(upgraded.applied).size).toBe(upgraded.applied.length);
      expect(upgraded.applied).toEqual(expect.arrayContaining(created.applied));
    });

    it.each(databaseServices)(
      '%s: of the last commit that had a file for each migration',
      async (service) => {
        const created = await migratedBy(service, [root]);
        const upgraded = await migratedBy(service, [before, root]);
        expect(upgraded.schema).toEqual(created.schema);
        expect(upgraded.applied).toEqual(expect.arrayContaining(created.applied));
      },
    );

    it.each(databaseServices)(
      '%s: the first file replaces what the release had, and nothing else',
      async (service) => {
        const [first, ...others] = await migrationsOf(root, service);
        const former = await migrationsOf(released, service);
        expect(first?.replaces).toEqual(former.map(({ name }) => name));
        expect(others.filter(({ replaces }) => replaces !== undefined)).toEqual([]);
      },
    );

    it.each(databaseServices)('%s: the second file has what ran since, word for word', async (service) => {
      const former = new Set((await migrationsOf(released, service)).map(({ name }) => name));
      const since = (await migrationsOf(before, service)).filter(({ name }) => !former.has(name));
      const present = new Map((await migrationsOf(root, service)).map((step) => [step.name, step]));
      const trimmed = since.map((step) => ({ ...step, sql: step.sql.trim() }));
      const kept = since.map(({ name }) => present.get(name));
      expect(kept.map((step) => step && { ...step, sql: step.sql.trim() })).toEqual(trimmed);
    });
  },
);
