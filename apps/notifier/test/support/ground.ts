import { acquireDatabases, type TestDatabases } from '@rubrica/testkit';
import { afterAll, beforeAll } from 'vitest';
import { notifierSchema } from './database.ts';
import { type KeyFolder, keyFolder } from './keyrings.ts';
import { startNotifier } from './notifier.ts';

/** Databases and keys for the tests of one file, each of which starts a notifier of its own. */
export function notifierGround() {
  let databases: TestDatabases & AsyncDisposable;
  let keys: KeyFolder;

  beforeAll(async () => {
    databases = await acquireDatabases();
    keys = await keyFolder('notifier', 'intake');
  });
  afterAll(async () => {
    await keys?.[Symbol.asyncDispose]();
    await databases?.[Symbol.asyncDispose]();
  });
  return {
    get databases() {
      return databases;
    },
    get keys() {
      return keys;
    },
    start: async (overrides: Parameters<typeof startNotifier>[0]['overrides'] = {}) =>
      startNotifier({ service: await notifierSchema(databases), keys, overrides }),
  };
}
