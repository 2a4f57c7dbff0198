import { formatLocalDate, uuidv7 } from '@rubrica/process/time';
import { expect, it } from 'vitest';
import { countDays } from '../src/deliveries/levels/count-days.ts';
import { servicesCalls } from './support/calls.ts';
import { notifierGround } from './support/ground.ts';
import { startReceiver } from './support/receiver.ts';

const { start } = notifierGround();
const timeZone = 'America/Guayaquil';
const month = formatLocalDate(new Date(), timeZone).slice(0, 7);

it('tells how the webhooks of a month arrived, by partner, and counts a day once', async () => {
  await using steady = await startReceiver();
  await using failing = await startReceiver((response, number) => {
    response.writeHead(number === 1 ? 503 : 204).end();
  });
  await using notifier = await start();
  const [one, other] = [uuidv7(), uuidv7()];
  const deliver = async (of: string, url: string) => {
    const id = await notifier.addEvent({ url, partnerId: of });
    await notifier.deliveries.receive({ eventId: id, traceparent: undefined });
    await expect.poll(async () => (await notifier.delivery(id)).state, { timeout: 30_000 }).toBe('DELIVERED');
  };
  await deliver(one, steady.url);
  await deliver(one, failing.url);
  await deliver(other, steady.url);
  const { deliveries } = servicesCalls(notifier, { kind: 'service', name: 'intake' });
  const { items, asOf } = await deliveries.levels({ month, partnerIds: [one] });
  expect(items).toEqual([
    {
      partnerId: one,
      webhooks: 2,
      delivered: 2,
      atFirstAttempt: 1,
      p50Seconds: expect.any(Number),
      p95Seconds: expect.any(Number),
    },
  ]);
  expect(asOf).not.toBeNull();
  expect((await deliveries.levels({ month: '2020-01', partnerIds: [one] })).items).toEqual([]);
  // Today was counted just now, so the sweeper finds no day that is due.
  const task = countDays(() => new Date(), timeZone);
  expect(await notifier.database.execute(task.text, [...(task.params ?? [])])).toEqual([]);
});
