import { databaseChecks } from '@rubrica/wiring/database-doctor';
import { callsChecks, doctorProgram, streamsChecks } from '@rubrica/wiring/doctor';
import { readConfig, settings } from './config.ts';
import { packageMigrations, schema } from './store/schema.ts';

/** Looks whether this service can work where it is, and says what to do. */
await doctorProgram({
  service: 'generation',
  settings,
  config: readConfig,
  groups: ({ database, nats, keys }) => [
    databaseChecks({
      database,
      schema,
      ownSessions: 2,
      folder: new URL('../migrations/', import.meta.url),
      base: packageMigrations,
    }),
    callsChecks('generation', { nats, keys }),
    streamsChecks('generation', nats),
  ],
});
