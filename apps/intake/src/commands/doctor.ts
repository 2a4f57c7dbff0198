import { evidenceStoreChecks } from '@rubrica/evidence-store/doctor';
import { databaseChecks } from '@rubrica/wiring/database';
import { callsChecks, runDoctor, streamsChecks } from '@rubrica/wiring/doctor';
import { readConfig, settings } from '../config.ts';
import { poolSize, releaseSchema } from '../entities.ts';
import { fileCheckerChecks } from '../requests/file-checks/file-checker-checks.ts';

/** Checks whether this service can run in its environment and says what to do. */
export function run(args: readonly string[]): Promise<never> {
  return runDoctor(args, {
    service: 'intake',
    settings,
    config: readConfig,
    groups: ({ database, nats, keys, evidence, lock, files }) => [
      databaseChecks({
        database,
        ...releaseSchema,
        ownSessions: 2,
        poolSize,
      }),
      callsChecks('intake', { nats, keys }),
      streamsChecks('intake', nats),
      evidenceStoreChecks(evidence, lock.mode),
      fileCheckerChecks(files),
    ],
  });
}
