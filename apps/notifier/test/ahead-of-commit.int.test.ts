import type { ServerResponse } from 'node:http';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/store/schema.ts';
import { notifierSchema, silentLogger } from './support/database.ts';
import { notifierGround } from './support/ground.ts';
import { type NotifierOverrides, startNotifier } from './support/notifier.ts';
import { startReceiver } from './support/receiver.ts';

const ground = notifierGround();

/** A notifier, and what happens when a delivery that it stores is committed. */
async function setUp(overrides: NotifierOverrides = {}) {
  await using owned = new AsyncDisposableStack();
  const service = await notifierSchema(ground.databases);
  await service.database.query(
    'grant execute on function pg_advisory_lock(bigint), pg_advisory_unlock(bigint), pg_advisory_xact_lock_shared(bigint) to public',
  );
  const notifier = owned.use(await startNotifier({ service, keys: ground.keys, overrides }));
  const owner = owned.use(
    createDatabase({ url: service.ownerUrl, schema, entities: [], logger: silentLogger, poolSize: 1 }),
  );
  const atCommit = (does: string) =>
    owner.execute(`create or replace function at_commit() returns trigger language plpgsql as
      $$ begin ${does}; return null; end $$`);
  await atCommit('null');
  await owner.execute(`create constraint trigger at_commit after insert on delivery
    deferrable initially deferred for each row execute function at_commit()`);
  const held = owned.move();
  return {
    notifier,
    atCommit,
    async hold() {
      await atCommit('perform pg_advisory_xact_lock_shared(7)');
      await owner.execute('select pg_advisory_lock(7)');
    },
    letGo: () => owner.execute('select pg_advisory_unlock(7)'),
    waiting: async () =>
      (await owner.execute(`select 1 from pg_locks where locktype = 'advisory' and not granted`)).length,
    receive: (eventId: string) => notifier.deliveries.receive({ eventId, traceparent: undefined }),
    async row(id: string) {
      const [row] = await notifier.database.execute<{ state: string; attempts: number; due: boolean }>(
        'select state, attempts, due_at <= now() as due from delivery where id = $1',
        [id],
      );
      return row;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

describe('a delivery whose row is being committed', () => {
  it('is on its way, and its job waits for the commit', async () => {
    await using at = await setUp();
    await using receiver = await startReceiver();
    const id = await at.notifier.addEvent({ url: receiver.url });
    await at.hold();
    let isOver = false;
    const received = at.receive(id).finally(() => {
      isOver = true;
    });
    await expect.poll(() => receiver.calls.length).toBe(1);
    expect(await at.row(id)).toBeUndefined();
    expect(isOver).toBe(false);
    await at.letGo();
    await received;
    await expect.poll(() => at.row(id)).toMatchObject({ state: 'DELIVERED', attempts: 1 });
    expect(receiver.calls).toHaveLength(1);
  });

  it('is sent again under its id and with its bytes when the commit failed and the job came again', async () => {
    await using at = await setUp();
    await using receiver = await startReceiver();
    const id = await at.notifier.addEvent({ url: receiver.url });
    await at.atCommit(`raise exception 'the disk is full'`);
    await expect(at.receive(id)).rejects.toThrow('the disk is full');
    await expect.poll(at.notifier.deliveries.inHand).toBe(0);
    expect(await at.row(id)).toBeUndefined();
    expect(at.notifier.attempts).toEqual([]);
    await at.atCommit('null');
    await at.receive(id);
    await expect.poll(() => at.row(id)).toMatchObject({ state: 'DELIVERED', attempts: 1 });
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
    expect(new Set(receiver.calls.map(({ body }) => body)).size).toBe(1);
  });

  it('is due for another copy at once when this one stops before its turn', async () => {
    await using at = await setUp({
      limits: { total: 4, perDestination: 1 },
      // No end of the first attempt but by its answer: with it the second has its turn.
      dialer: { policy: { allowLoopback: true }, budgetMs: 10 * MINUTE_MS },
    });
    const unanswered: ServerResponse[] = [];
    await using receiver = await startReceiver((response) => unanswered.push(response));
    await at.receive(await at.notifier.addEvent({ url: receiver.url }));
    await expect.poll(() => receiver.calls.length).toBe(1);
    const id = await at.notifier.addEvent({ url: receiver.url });
    await at.hold();
    const received = at.receive(id);
    await expect.poll(at.waiting).toBe(1);
    const stopped = at.notifier.deliveries.stop();
    await expect.poll(at.notifier.deliveries.inHand).toBe(1);
    // Nothing is written about it before it is on file: written now, the end of its lease would find no row.
    expect(await at.row(id)).toBeUndefined();
    await at.letGo();
    for (const response of unanswered) response.writeHead(204).end();
    await Promise.all([received, stopped]);
    expect(await at.row(id)).toEqual({ state: 'PENDING', attempts: 0, due: true });
    expect(receiver.calls).toHaveLength(1);
  });
});
