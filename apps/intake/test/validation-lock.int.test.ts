import { toSqlRunner } from '@rubrica/database/connection';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import {
  beginValidation,
  findLeaseLeftMs,
  renewQueuedLeases,
} from '../src/requests/validation/begin-validation.ts';
import { makeAuthentic } from './support/authentic-row.ts';
import { ownDatabase } from './support/own-database.ts';
import { asPartner, makeRegistration, runningIntake } from './support/running-intake.ts';

type Job = Parameters<typeof findLeaseLeftMs>[1];
const intake = await disposeAfterAll(runningIntake());

it('a job that comes while another transaction has the row for a moment is asked for again, not taken for done', async () => {
  await using own = await ownDatabase(intake.ground);
  const { database } = own;
  const requests = intake.client(asPartner('sandbox')).requests;
  const { requestId } = await requests.register.mutate(makeRegistration());
  await pollFor(
    async () => (await requests.status.query({ family: 'TV', requestId })).status === 'GENERATING',
  );
  const done = { requestId, attempt: 1, now: new Date() };
  expect(await findLeaseLeftMs(database, done)).toBeUndefined();

  await intake.query(
    `update intake.request set status = 'REGISTERED', validation_status = 'PENDING', validation_attempt = 2,
       due_at = null where id = $1`,
    [requestId],
  );
  await makeAuthentic(intake.ground, requestId, { decision: null });
  const job = { ...done, attempt: 2 };
  await database.transaction(async (em) => {
    await toSqlRunner(em).execute('select id from request where id = $1 for update', [requestId]);
    expect(await beginValidation(own, job)).toBeUndefined();
    expect(await findLeaseLeftMs(database, job)).toBe(0);
  });
  expect(await beginValidation(own, job)).toMatchObject({ attempts: 1 });
  expect(await findLeaseLeftMs(database, job)).toBeGreaterThan(20_000);
});

it('the lease of a validation that waits is renewed while it is this copy that has it, and waits for no lock', async () => {
  await using own = await ownDatabase(intake.ground);
  const { database } = own;
  const requests = intake.client(asPartner('sandbox')).requests;
  const ids: string[] = [];
  for (let made = 0; made < 3; made += 1) {
    const { requestId } = await requests.register.mutate(makeRegistration());
    await pollFor(
      async () => (await requests.status.query({ family: 'TV', requestId })).status === 'GENERATING',
    );
    ids.push(requestId);
  }
  await intake.query(
    `update intake.request set status = 'VALIDATING', validation_status = 'AUTOMATICALLY_VALIDATING',
       fence = 7, lease_until = now() + interval '9 seconds', due_at = null where id = any($1)`,
    [ids],
  );
  const [ours, overtaken, locked] = ids.map((requestId) => ({ requestId, attempt: 1 })) as [Job, Job, Job];
  await database.transaction(async (em) => {
    await toSqlRunner(em).execute('select id from request where id = $1 for update', [locked.requestId]);
    await renewQueuedLeases(database, [
      { job: ours, begun: { fence: 7 } },
      { job: overtaken, begun: { fence: 6 } },
      { job: locked, begun: { fence: 7 } },
    ]);
  });
  expect(await findLeaseLeftMs(database, ours)).toBeGreaterThan(20_000);
  expect(await findLeaseLeftMs(database, overtaken)).toBeLessThanOrEqual(9_000);
  expect(await findLeaseLeftMs(database, locked)).toBeLessThanOrEqual(9_000);
  const due = await intake.query(
    'select id from intake.request where id = any($1) and due_at = lease_until',
    [ids],
  );
  expect(due).toEqual([{ id: ours.requestId }]);
});
