import { runnerOf } from '@rubrica/database';
import { pollFor } from '@rubrica/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginValidation, leasedForMs } from '../src/validation/begin-validation.ts';
import { ownDatabase } from './support/own-database.ts';
import { asPartner, makeRegistration, type RunningIntake, runningIntake } from './support/running-intake.ts';

let intake: RunningIntake;
beforeAll(async () => {
  intake = await runningIntake();
});
afterAll(() => intake?.[Symbol.asyncDispose]());

it('a job that comes while another transaction has the row for a moment is asked for again, not taken for done', async () => {
  await using own = await ownDatabase(intake.ground);
  const { database } = own;
  const requests = intake.client(asPartner('sandbox')).requests;
  const { requestId } = await requests.register.mutate(makeRegistration());
  await pollFor(
    async () => (await requests.status.query({ family: 'TV', requestId })).status === 'GENERATING',
  );
  const done = { requestId, attempt: 1, now: new Date() };
  expect(await leasedForMs(database, done)).toBeUndefined();

  await intake.query(
    `update intake.request set status = 'REGISTERED', validation_status = 'PENDING', validation_attempt = 2,
       due_at = null where id = $1`,
    [requestId],
  );
  const job = { ...done, attempt: 2 };
  await database.transaction(async (em) => {
    await runnerOf(em).execute('select id from request where id = $1 for update', [requestId]);
    expect(await beginValidation(own, job)).toBeUndefined();
    expect(await leasedForMs(database, job)).toBe(0);
  });
  expect(await beginValidation(own, job)).toMatchObject({ attempts: 1 });
  expect(await leasedForMs(database, job)).toBeGreaterThan(20_000);
});
