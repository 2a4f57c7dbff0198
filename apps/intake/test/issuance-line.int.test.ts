import { pollFor } from '@rubrica/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  asPartner,
  makeRegistration,
  type partnerIds,
  type RunningIntake,
  runningIntake,
} from './support/running-intake.ts';

let intake: RunningIntake;
beforeAll(async () => {
  intake = await runningIntake();
});
afterAll(() => intake?.[Symbol.asyncDispose]());

/** Registers one request and waits until its certificate is ordered; nobody issues here. */
async function order(partner: keyof typeof partnerIds): Promise<string> {
  const { requests } = intake.client(asPartner(partner));
  const { requestId } = await requests.register.mutate(makeRegistration());
  await pollFor(
    async () => (await requests.status.query({ family: 'TV', requestId })).status === 'GENERATING',
  );
  return requestId;
}

async function line(subject: 'jobs.certificate.issue' | 'jobs.certificate-backlog.issue') {
  return (await intake.outbox(subject)).map(({ requestId }) => requestId);
}

it('lets 32 certificates of a partner wait in the line for all, and further ones in the line behind it', async () => {
  const first: string[] = [];
  while (first.length < 32) first.push(await order('sandbox'));
  const beyond = [await order('sandbox'), await order('sandbox')];
  const ofOther = await order('other');
  expect(await line('jobs.certificate.issue')).toEqual([...first, ofOther]);
  expect(await line('jobs.certificate-backlog.issue')).toEqual(beyond);
});

it('takes a partner into the line for all again once enough of its certificates are done', async () => {
  const done = (await line('jobs.certificate.issue')).slice(0, 2);
  await finish(done);
  const behind = await order('sandbox');
  expect((await line('jobs.certificate-backlog.issue')).at(-1)).toBe(behind);
  await finish(await line('jobs.certificate-backlog.issue'));
  const next = await order('sandbox');
  expect((await line('jobs.certificate.issue')).at(-1)).toBe(next);
});

it('publishes what shows no progress in the line behind, each fifth time in the first, as the release before needs it', async () => {
  const [once, often] = [await order('other'), await order('other')];
  const first = await line('jobs.certificate.issue');
  const behind = await line('jobs.certificate-backlog.issue');
  await intake.query(
    `update intake.request set due_at = now() - interval '1 second', publish_count = case id when $1 then 4 else 0 end
      where id = any($2)`,
    [often, [once, often]],
  );
  await pollFor(async () => (await line('jobs.certificate.issue')).length > first.length, {
    deadlineMs: 60_000,
  });
  expect(await line('jobs.certificate.issue')).toEqual([...first, often]);
  expect(await line('jobs.certificate-backlog.issue')).toEqual([...behind, once]);
});

function finish(requestIds: readonly string[]) {
  return intake.query(`update intake.request set status = 'GENERATED' where id = any($1)`, [requestIds]);
}
