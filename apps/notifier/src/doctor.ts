import { databaseChecks } from '@rubrica/wiring/database';
import { callsChecks, runDoctor, streamsChecks } from '@rubrica/wiring/doctor';
import { readConfig, settings } from './config.ts';
import { releaseSchema } from './store/schema.ts';

/** Checks whether this service can run in its environment, and suggests remedies. */
export function run(args: readonly string[]): Promise<never> {
  return runDoctor(args, {
    service: 'notifier',
    settings,
    config: readConfig,
    groups: ({ database, nats, keys }) => [
      databaseChecks({
        database,
        ...releaseSchema,
        ownSessions: 1,
      }),
      callsChecks('notifier', { nats, keys }),
      streamsChecks('notifier', nats),
    ],
  });
}
