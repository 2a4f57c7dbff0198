import type { Caller } from '@rubrica/contracts/shared/caller';
import { expect, it } from 'vitest';
import { operatorsCalls, servicesCalls } from './support/calls.ts';
import { notifierGround } from './support/ground.ts';
import { bundle, partnerId } from './support/notifier.ts';
import { startReceiver } from './support/receiver.ts';

/** Rows of deliveries as the notifier's role in the database can write them, with public keys alone. */
const ground = notifierGround();
/** Nothing is tried again by itself while a test looks. */
const schedule = {
  delaysMs: Array.from({ length: 9 }, (_, n) => n && 600_000),
  jitter: 0,
  maxRetryAfterMs: 1,
};
const viewer: Caller = {
  kind: 'operator',
  operatorId: '019aa1b2-0000-7000-8000-0000000000bb',
  email: 'someone@rubrica.example',
  role: 'viewer',
};
const partner: Caller = { kind: 'partner', partnerId, clientId: 'c', scopes: ['status:read'] } as Caller;

/** A delivery that was refused once and waits, with an event of its own at intake. */
async function waiting() {
  await using owned = new AsyncDisposableStack();
  const alarms: string[] = [];
  const notifier = owned.use(await ground.start({ schedule, onAltered: (id) => void alarms.push(id) }));
  const receiver = owned.use(await startReceiver((response) => response.writeHead(503).end()));
  const eventId = await notifier.addEvent({ url: receiver.url, renewalOf: 'TX-0' });
  await notifier.deliveries.receive({ eventId, traceparent: undefined });
  await expect.poll(() => notifier.delivery(eventId)).toMatchObject({ attempts: 1, state: 'PENDING' });
  const row = await notifier.delivery(eventId);
  const held = owned.move();
  /** Sealed as the notifier seals it: whoever has its public key can. */
  const sealForged = async (owner = `${eventId}`) =>
    notifier.keyring.sealTo(
      'notifier',
      JSON.stringify({ result: 'OK', file: 'ZXZpbA==', password: 'evil', serialNumber: 'EE' }),
      { purpose: 'webhook-body', owner },
    );
  return {
    ...{ notifier, receiver, alarms, eventId, row, sealForged },
    async attempt(set: string, values: readonly unknown[] = []) {
      receiver.answer = (response) => response.writeHead(204).end();
      await notifier.database.execute(
        `update delivery set ${set}, due_at = now(), state = 'PENDING' where id = $1`,
        [eventId, ...values],
      );
      notifier.deliveries.nudge();
      await expect.poll(async () => (await notifier.delivery(eventId)).attempts).toBe(2);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

it('sends the body that intake tells anew where another was sealed in its place, and raises the alarm', async () => {
  await using at = await waiting();
  await at.attempt('body = $2', [await at.sealForged()]);
  const [first, second] = at.receiver.calls;
  expect(JSON.parse(second?.body ?? '')).toMatchObject({ file: bundle.file, password: bundle.password });
  expect(second?.body).toBe(first?.body);
  expect(at.alarms).toEqual([at.eventId]);
});

it('sends a body without a MAC no more than one with a wrong MAC', async () => {
  await using at = await waiting();
  await at.attempt('body = $2, mac = null', [await at.sealForged()]);
  expect(at.receiver.calls[1]?.body).toBe(at.receiver.calls[0]?.body);
  expect(await at.notifier.delivery(at.eventId)).toMatchObject({ state: 'DELIVERED' });
});

it('says type, time, code and renewed request in its headers as intake told them', async () => {
  await using at = await waiting();
  await at.attempt(
    `type = 'certificate.revoked', occurred_at = '2001-01-01', renewal_of = 'TX-9', code = 'KEY_GENERATION_FAILED'`,
  );
  const said = at.receiver.calls.map(({ headers }) => [
    headers['x-rubrica-event'],
    headers['x-rubrica-occurred-at'],
    headers['x-rubrica-renewal-of'],
    headers['x-rubrica-code'],
  ]);
  expect(said[1]).toEqual(said[0]);
  expect(said[1]?.[0]).toBe('certificate.issued');
  expect(at.alarms).toEqual([at.eventId]);
});

it('sends the body that intake tells anew where it was damaged', async () => {
  await using at = await waiting();
  await at.attempt(`body = 'eyJhbGciOiJ4In0.a.b.c.d'`);
  expect(at.receiver.calls[1]?.body).toBe(at.receiver.calls[0]?.body);
});

it('sends nothing where the event of such a row cannot be told', async () => {
  await using at = await waiting();
  const requestId = String(at.row.request_id);
  const id = '019aa1b2-0000-7000-8000-00000000abcd';
  await at.notifier.database.execute(
    `insert into delivery select (jsonb_populate_record(d, jsonb_build_object(
      'id', $2::text, 'body', $3::text, 'request_id', $4::text, 'attempts', 0, 'due_at', now()))).*
     from delivery d where d.id = $1`,
    [at.eventId, id, await at.sealForged(id), requestId],
  );
  at.notifier.deliveries.nudge();
  await expect.poll(async () => (await at.notifier.delivery(id)).attempts).toBe(1);
  expect(at.receiver.calls).toHaveLength(1);
  expect(at.alarms).toEqual([id]);
});

it('shows neither operators nor partners a body that is not its own', async () => {
  await using at = await waiting();
  const shown = async () => [
    (await operatorsCalls(at.notifier, viewer).deliveries.get({ id: at.eventId })).outline,
    (await servicesCalls(at.notifier, partner).events.read({ eventId: at.eventId })).body,
  ];
  expect(await shown()).toEqual([expect.anything(), expect.anything()]);
  await at.notifier.database.execute('update delivery set body = $2 where id = $1', [
    at.eventId,
    await at.sealForged(),
  ]);
  expect(await shown()).toEqual([null, null]);
});
