import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { broken, callAs, receive, settled, working } from './support/destinations.ts';
import { notifierGround } from './support/ground.ts';
import { partnerId, webhookSecret } from './support/notifier.ts';
import { startReceiver } from './support/receiver.ts';

const { start } = notifierGround();

describe('a ping', () => {
  it('is signed, named a ping, and has an empty body', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver();
    const { id, durationMs } = await callAs(notifier).deliveries.ping({ partnerId, url: receiver.url });
    const [call] = receiver.calls;
    expect(call?.headers).toMatchObject({ 'webhook-id': id, 'x-rubrica-event': 'ping' });
    expect(call?.body).toBe('{}');
    new Webhook(webhookSecret).verify(call?.body ?? '', call?.headers as Record<string, string>);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  it('says what came of it and never a word of the receiver', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver((response) =>
      response.writeHead(403, { 'x-secret': 'words' }).end('the words of the receiver'),
    );
    const answer = await callAs(notifier).deliveries.ping({ partnerId, url: receiver.url });
    expect(answer).toMatchObject({ status: 403, error: 'the receiver answered 403' });
    expect(JSON.stringify(answer)).not.toContain('words');
  });

  it('is held back by the same guard as any delivery', async () => {
    await using notifier = await start({ dialer: { policy: { allowLoopback: false }, budgetMs: 5_000 } });
    await using receiver = await startReceiver();
    const { deliveries } = callAs(notifier);
    for (const url of [receiver.url, 'https://169.254.169.254/', 'https://[::ffff:10.0.0.1]/']) {
      expect(await deliveries.ping({ partnerId, url })).toMatchObject({
        acknowledged: false,
        outcome: 'DESTINATION_FORBIDDEN',
        status: null,
      });
    }
    expect(receiver.calls).toEqual([]);
  });
});

describe('a range', () => {
  it('is recovered by the time of its events, without what was delivered or purged', async () => {
    await using notifier = await start();
    await using receiver = await startReceiver(broken);
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 10, minute)).toISOString();
    const ids: string[] = [];
    for (const minute of [0, 1, 2, 3]) {
      ids.push(await settled(notifier, await receive(notifier, receiver.url, { occurredAt: at(minute) })));
    }
    const stateOf = async (id = '') => (await notifier.delivery(id)).state;
    await notifier.database.execute(`update delivery set body = null, purged_at = now() where id = $1`, [
      ids[1],
    ]);
    receiver.answer = working;
    const { deliveries } = callAs(notifier);
    const range = { partnerId, from: at(0), to: at(3) };
    expect(await deliveries.recover({ ...range, state: 'STOPPED' })).toEqual({ count: 0, complete: true });
    expect(await deliveries.recover(range)).toEqual({ count: 2, complete: true });
    await settled(notifier, ids[0] ?? '');
    await settled(notifier, ids[2] ?? '');
    expect(await Promise.all(ids.map(stateOf))).toEqual(['DELIVERED', 'EXHAUSTED', 'DELIVERED', 'EXHAUSTED']);
    await expect(deliveries.recover({ partnerId, from: at(3), to: at(0) })).rejects.toThrow(
      'from must be before',
    );
  });

  it('is recovered in batches, all of it', async () => {
    await using notifier = await start();
    const id = await settled(notifier, await receive(notifier, 'http://127.0.0.1:1/'));
    await notifier.deliveries.stop();
    await notifier.database.execute(
      `insert into delivery select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
       from delivery d, generate_series(1, 1200) where d.id = $1`,
      [id],
    );
    const range = { partnerId, from: '2026-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
    expect(await callAs(notifier).deliveries.recover(range)).toEqual({ count: 1_201, complete: true });
    const [left] = await notifier.database.execute(
      `select count(*)::int from delivery where state <> 'PENDING'`,
    );
    expect(left).toEqual({ count: 0 });
  });
});
