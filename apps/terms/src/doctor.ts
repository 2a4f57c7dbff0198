import { termsTypeSchema } from '@rubrica/contracts/shared/terms';
import { createDatabase } from '@rubrica/database/connection';
import { createLogger } from '@rubrica/process/log';
import { databaseChecks } from '@rubrica/wiring/database';
import { type Check, callsChecks, runDoctor } from '@rubrica/wiring/doctor';
import { readConfig, settings, type TermsConfig } from './config.ts';
import { entities, releaseSchema, schema } from './store/schema.ts';
import { termsVersions } from './store/terms-versions.repository.ts';

/** Checks whether this service can run in its environment, and suggests remedies. */
export function run(args: readonly string[]): Promise<never> {
  return runDoctor(args, {
    service: 'terms',
    settings,
    config: readConfig,
    groups: ({ database, nats, keys }) => [
      databaseChecks({
        database,
        ...releaseSchema,
        ownSessions: 1,
        further: [activeTerms(database)],
      }),
      callsChecks('terms', { nats, keys }),
    ],
  });
}

function activeTerms(access: TermsConfig['database']): Check {
  return {
    name: 'terms',
    async look() {
      const logger = createLogger({ service: schema, level: 'silent', format: 'json' });
      await using database = createDatabase({ ...access, schema, entities, logger, poolSize: 1 });
      const types = await termsVersions(database.fork()).typesWithoutActive();
      const without = types.join(', ');
      if (types.length === termsTypeSchema.options.length)
        throw new Error(`no active terms for ${without}: nobody can claim these`);
      return types.length === 0
        ? 'one version is active for each type of certificate'
        : `one version is active, but none for ${without}: nobody can claim these`;
    },
    remedy: 'An administrator creates a version (terms.createVersion) and two activate it (terms.activate).',
  };
}
