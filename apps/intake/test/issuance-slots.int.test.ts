import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { asPartner, makeRegistration, type partnerIds, runningIntake } from './support/running-intake.ts';

const intake = await disposeAfterAll(runningIntake());

/** Registers one request and waits until its certificate is ordered; nobody issues here. */
async function order(partner: keyof typeof partnerIds): Promise<string> {
  const { requests } = intake.client(asPartner(partner));
  const { requestId } = await requests.register.mutate(makeRegistration());
  await pollFor(
    async () => (await requests.status.query({ family: 'TV', requestId })).status === 'GENERATING',
  );
  return requestId;
}

async function ordered(): Promise<string[]> {
  return (await intake.outbox('jobs.certificate.issue')).map(({ requestId }) => requestId);
}

/** Ends the request as generation does where it cannot make the key. */
function fail(requestId: string) {
  return intake.tell('events.certificate.failed', { requestId, attempt: 1, code: 'KEY_GENERATION_FAILED' });
}

it('orders 32 certificates of a partner at once, and lets further ones of it wait but nobody else', async () => {
  const first: string[] = [];
  while (first.length < 32) first.push(await order('sandbox'));
  const waiting = [await order('sandbox'), await order('sandbox'), await order('sandbox')];
  const ofOther = await order('other');
  expect(await ordered()).toEqual([...first, ofOther]);
  expect(await waitingRequests()).toEqual(waiting);
});

it('orders the one that has waited longest whenever a certificate of its partner is done', async () => {
  const before = await ordered();
  const [oldest, next] = await waitingRequests();
  await fail(before[0] ?? '');
  await pollFor(async () => (await ordered()).length > before.length);
  await fail(before[1] ?? '');
  await pollFor(async () => (await ordered()).length > before.length + 1);
  expect(await ordered()).toEqual([...before, oldest, next]);
});

it('does not publish what waits, however long it does', async () => {
  const before = await ordered();
  const [waiting] = await waitingRequests();
  const [late] = before.slice(-1);
  await intake.query(`update intake.request set due_at = now() - interval '1 second' where id = any($1)`, [
    [waiting, late],
  ]);
  await pollFor(async () => (await ordered()).length > before.length, { deadlineMs: 60_000 });
  expect(await ordered()).toEqual([...before, late]);
});

it('orders what waits although a slot is free: who should have done so has died', async () => {
  const before = await ordered();
  const [waiting] = await waitingRequests();
  await intake.query(`update intake.request set status = 'GENERATED' where id = $1`, [before[2]]);
  await pollFor(async () => (await waitingRequests()).length === 0, { deadlineMs: 60_000 });
  expect(await ordered()).toEqual([...before, waiting]);
});

async function waitingRequests(): Promise<string[]> {
  const rows = await intake.query<{ id: string }>(
    'select id from intake.request where awaits_issuance_slot order by updated_at',
  );
  return rows.map(({ id }) => id);
}
