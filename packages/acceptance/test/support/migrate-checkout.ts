import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MigrateOptions, Migration } from '@rubrica/database/migrate';

/** Migrates a service's schema with the code of a checkout, as its provisioning does. Arguments: see below. */
const [checkout = '', service = '', ownerUrl = '', appRole = ''] = process.argv.slice(2);

const sources = join(checkout, 'apps', service, 'src');
const load = (path: string) => import(pathToFileURL(path).href);
const findFirst = (...files: readonly string[]) =>
  files.map((file) => join(sources, file)).find((file) => existsSync(file)) ?? '';

const { migrate, readMigrations } = (await load(
  join(checkout, 'packages/database/src/migrate/index.ts'),
)) as typeof import('@rubrica/database/migrate');
const { releaseSchema, ...module } = await load(findFirst('store/schema.ts', 'entities.ts'));
const { auditLog } = await load(
  findFirst('certificate/audit-log.ts', 'store/audit-log.ts', 'base/audit-log.ts', 'audit-log.ts'),
);

/** Exported separately, or all together, by checkouts that have no `releaseSchema`. */
const base: readonly Migration[] =
  module.packageMigrations ??
  Object.entries(module).flatMap(([name, value]) =>
    /Migrations?$/.test(name) ? (value as Migration | readonly Migration[]) : [],
  );

/** Checkouts without `packages/audit` grant the rights on the audit log by themselves. */
const auditPackage = join(checkout, 'packages/audit/src/migrations/index.ts');
const rights = existsSync(auditPackage)
  ? { grants: (await load(auditPackage)).auditGrants(auditLog.table, { schema: service, appRole }) }
  : { audit: auditLog.table };

await migrate({
  ...releaseSchema,
  ...rights,
  schema: service,
  ownerUrl,
  appRole,
  migrations: [
    ...(releaseSchema?.base ?? base),
    ...(await readMigrations(pathToFileURL(join(checkout, 'apps', service, 'migrations/')))),
  ],
  logger: { ...console, info: () => undefined } as MigrateOptions['logger'],
});
