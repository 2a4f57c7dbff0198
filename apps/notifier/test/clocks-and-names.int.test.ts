import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { describe, expect, it } from 'vitest';
import { notifierGround } from './support/ground.ts';
import type { NotifierUnderTest } from './support/notifier.ts';
import { startReceiver } from './support/receiver.ts';

const ground = notifierGround();

const { start } = ground;

async function receive(notifier: NotifierUnderTest, url: string): Promise<string> {
  const id = await notifier.addEvent({ url, type: 'request.error', message: 'x' });
  await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
  return id;
}

describe('a process whose clock is an hour off the database’s', () => {
  it.each([
    ['ahead', HOUR_MS],
    ['behind', -HOUR_MS],
  ])('%s, tries again when the schedule says, neither an hour later nor all at once', async (_, offMs) => {
    const clock = () => new Date(Date.now() + offMs);
    const schedule = { delaysMs: [0, 60_000, 50], jitter: 0.2, maxRetryAfterMs: 60_000 };
    await using notifier = await start({ clock, schedule });
    await using receiver = await startReceiver((response, number) =>
      response.writeHead(number === 1 ? 500 : 200).end(),
    );
    const id = await receive(notifier, receiver.url);
    await expect.poll(async () => (await notifier.delivery(id)).attempts).toBe(1);
    const [row] = await notifier.database.execute<{ seconds: number }>(
      'select extract(epoch from due_at - now())::int as seconds from delivery where id = $1',
      [id],
    );
    expect(row?.seconds).toBeGreaterThan(30);
    expect(row?.seconds).toBeLessThanOrEqual(72);
    await notifier.database.execute('update delivery set due_at = now() where id = $1', [id]);
    notifier.deliveries.nudge();
    await expect.poll(async () => (await notifier.delivery(id)).state).toBe('DELIVERED');
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  });
});

describe('a name that means another address at each look', () => {
  it('is called where it is public by configuration and never at the metadata address; both are told', async () => {
    await using receiver = await startReceiver((response) =>
      response.writeHead(500, { connection: 'close' }).end(),
    );
    const meanings = ['127.0.0.1', '169.254.169.254', '10.0.0.7', '127.0.0.1'];
    const resolve = async () => [{ address: meanings.shift() ?? '127.0.0.1', family: 4 }];
    await using notifier = await start({
      dialer: { policy: { allowLoopback: true }, budgetMs: 2_000, resolve },
    });
    const { port } = new URL(receiver.url);
    const id = await receive(notifier, `http://rebinding.example:${port}/hook`);
    await expect.poll(async () => (await notifier.delivery(id)).state).toBe('EXHAUSTED');
    const log = await notifier.database.execute(
      'select outcome, error from attempt where delivery_id = $1 order by fence',
      [id],
    );
    expect(log).toEqual([
      { outcome: 'REFUSED', error: 'the receiver answered 500' },
      {
        outcome: 'DESTINATION_FORBIDDEN',
        error: 'rebinding.example leads to an address that is not public and is not called',
      },
      {
        outcome: 'DESTINATION_FORBIDDEN',
        error: 'rebinding.example leads to an address that is not public and is not called',
      },
      { outcome: 'REFUSED', error: 'the receiver answered 500' },
    ]);
    expect(receiver.calls.length).toBe(2);
  });
});
