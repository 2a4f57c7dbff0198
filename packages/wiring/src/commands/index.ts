import type { ServiceCommand } from '@rubrica/process/program';
import type { ReleaseSchema } from '../provision/missing-migrations.ts';

interface SchemaModule {
  readonly releaseSchema: ReleaseSchema;
}

/** Creates the commands that are the same in every service with a database. */
export function databaseCommands(loadSchema: () => Promise<SchemaModule>) {
  return {
    'await-provisioned': {
      about: 'waits until every migration of this release has run',
      async load() {
        const { awaitProvisioned } = await import('./await-provisioned.ts');
        const { releaseSchema } = await loadSchema();
        return { run: () => awaitProvisioned(releaseSchema) };
      },
    },
    'verify-audit': {
      about: 'checks the chain of the audit log, for auditors',
      async load() {
        const { verifyAuditLog } = await import('@rubrica/audit/verification');
        const { releaseSchema } = await loadSchema();
        return { run: (args) => verifyAuditLog(releaseSchema, args) };
      },
    },
  } as const satisfies Readonly<Record<string, ServiceCommand>>;
}
