import { createHmac } from 'node:crypto';
import { checkRows, createRowGuard } from '@rubrica/database/guarded';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { type GuardedDelivery, guardedTables, isDeliveryIntact } from '../src/store/guarded-tables.ts';
import { isoSql } from '../src/store/instants.ts';
import { startSurroundings } from './support/process.ts';
import { startReceiver } from './support/receiver.ts';

const surroundings = await disposeAfterAll(startSurroundings());
const { database } = surroundings;

type Stored = GuardedDelivery & { readonly mac: string };

const readDelivery = async (id: string) => {
  const [row] = await database.execute<Stored>(
    `select id, request_id as "requestId", partner_id as "partnerId", url, type, ${isoSql('occurred_at')} as "occurredAt",
       renewal_of as "renewalOf", code, body, mac from delivery where id = $1 and attempts > 0`,
    [id],
  );
  return row;
};

it('a delivery that waits gets a MAC of a new key, so that the former key can end', async () => {
  await using receiver = await startReceiver((response) => response.writeHead(500).end());
  await using _notifier = surroundings.start();
  const id = await surroundings.addEvent({ url: receiver.url, type: 'request.error', message: 'x' });
  await surroundings.publishEvent(id);
  await expect.poll(async () => (await readDelivery(id))?.mac).toBeDefined();
  const former = await surroundings.keys.keyring('notifier');
  const mac = (data: string) => `present.${createHmac('sha256', 'present').update(data).digest('hex')}`;
  const isPresentMac = (given: string) => given.startsWith('present.');
  const present = { mac, isPresentMac, isMac: (data: string, given: string) => mac(data) === given };
  const both = {
    ...present,
    isMac: (data: string, given: string) => present.isMac(data, given) || former.isMac(data, given),
  };
  const onFailed = ({ id: failed }: { id: string }) => expect.fail(`${failed} is not authentic`);
  const guard = createRowGuard({ keys: both, tables: guardedTables, onFailed });
  expect(await checkRows({ database, guard, keys: both, tables: guardedTables })).toBe(1);
  const renewed = await readDelivery(id);
  const later = createRowGuard({ keys: present, tables: guardedTables, onFailed });
  expect(renewed && isDeliveryIntact(later, renewed)).toBe(true);
});
