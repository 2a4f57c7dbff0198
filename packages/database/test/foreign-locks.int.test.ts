import { disposeAfterAll, holdAdvisoryLocks } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { migrate } from '../src/migrate/index.ts';
import { createSweeper, purgeOutbox } from '../src/sweeper/index.ts';
import { fixture, until } from './support/fixture.ts';
import { quiet } from './support/quiet.ts';
import { recorder } from './support/recorder.ts';
import { emitEach, relayCopy, unpublished } from './support/relays.ts';

/** The role of another service holds the advisory locks of release 0.1.0, whose names are in its source. */
const names = ['rubrica relay intake', 'rubrica sweeper intake purge-outbox', 'rubrica migrate intake'];
const shared = await disposeAfterAll(fixture());
await disposeAfterAll(holdAdvisoryLocks(shared.service.database, names));

test('the outbox is published', async () => {
  const bus = recorder();
  await using copy = relayCopy(shared, bus.publish);
  await emitEach(copy.database, ['m0']);
  await until(
    () => unpublished(copy.database),
    (count) => count === 0,
  );
  expect(bus.ids()).toEqual(['m0']);
});

test('a sweep runs', async () => {
  const database = shared.open();
  await database.execute(
    `insert into outbox (subject, message_id, payload, published_at) values ('s', 'old', '{}', now() - interval '30 days')`,
  );
  const sweeper = createSweeper({ database, tasks: [purgeOutbox()], logger: quiet });
  expect(await sweeper.sweep()).toEqual({ 'purge-outbox': 1 });
});

test('migrations run', async () => {
  const { ownerUrl, schema, appRole } = shared.service;
  const migrations = [{ name: '20260103000000_more', sql: 'create table more (id integer)' }];
  const applied = migrate({ ownerUrl, schema, appRole, migrations, logger: quiet, waitMs: 0 });
  await expect(applied).resolves.toEqual(['20260103000000_more']);
});
