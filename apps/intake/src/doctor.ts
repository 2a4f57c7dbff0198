import { evidenceStoreChecks } from '@rubrica/evidence-store/doctor';
import { databaseChecks } from '@rubrica/wiring/database-doctor';
import { callsChecks, doctorProgram, streamsChecks } from '@rubrica/wiring/doctor';
import { readConfig, settings } from './config.ts';
import { packageMigrations, poolSize, schema } from './entities.ts';
import { fileCheckerChecks } from './validation/file-checks/file-checker-checks.ts';

/** Looks whether this service can work where it is, and says what to do. */
await doctorProgram({
  service: 'intake',
  settings,
  config: readConfig,
  groups: ({ database, nats, keys, evidence, lock, files }) => [
    databaseChecks({
      database,
      schema,
      ownSessions: 2,
      poolSize,
      folder: new URL('../migrations/', import.meta.url),
      base: packageMigrations,
    }),
    callsChecks('intake', { nats, keys }),
    streamsChecks('intake', nats),
    evidenceStoreChecks(evidence, lock.mode),
    fileCheckerChecks(files),
  ],
});
