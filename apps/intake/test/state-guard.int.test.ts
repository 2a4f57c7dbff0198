import { type Status, statusSchema } from '@rubrica/contracts/shared/enumerations';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { expireRequests } from '../src/requests/request/expire-requests.ts';
import { planTransition } from '../src/requests/request/plan-transition.ts';
import { type Trigger, transitions } from '../src/requests/request/state-machine.ts';
import { transitionStatement } from '../src/requests/request/write-transition.ts';
import { beginValidation } from '../src/requests/validation/begin-validation.ts';
import { makeAuthentic } from './support/authentic-row.ts';
import { ownDatabase } from './support/own-database.ts';
import { asPartner, makeRegistration, runningIntake } from './support/running-intake.ts';

const { requestId } = makeRegistration();
/** Of whose timeline nothing is written by hand. */
const other = makeRegistration();

const intake = await disposeAfterAll(runningIntake());
await intake.client(asPartner('sandbox')).requests.register.mutate(makeRegistration({}, { requestId }));
await intake.client(asPartner('sandbox')).requests.register.mutate(other);
// Nobody else changes the request from here on.
await intake.stopService();
const { database, rows } = await ownDatabase(intake.ground);

afterAll(() => database.close());

let attempt = 1;

/** What a worker would write that still holds the fence and planned its change from `planned`. */
async function write(trigger: Trigger, planned: Status, fence: number): Promise<unknown[]> {
  // Jobs are named by their attempt.
  attempt += 1;
  const state = {
    ...{ id: requestId, status: planned, validationStatus: 'PENDING' as const, callbackUrl: null },
    ...{ validationAttempt: attempt, generationAttempt: attempt },
  };
  const plan = planTransition(state, trigger, { newId: uuidv7 });
  const rows = { protect: () => ({ version: 1, mac: '' }) };
  const { entries } = database;
  const context = { now: new Date(), entries, rows, actor: 'service:intake', errorWindowDays: 50 };
  return database.statement(transitionStatement({ id: requestId, fence }, plan, context));
}

const triggers = (Object.keys(transitions) as Trigger[]).filter(
  (trigger) => transitions[trigger].from.length > 0,
);
const snapshot = `select request.*, (select count(*) from intake.timeline where request_id = request.id) as noted,
  (select count(*) from intake.outbox) as messages from intake.request where id = $1`;

describe('a change of a request under the right fence', () => {
  it.each(triggers)(
    'by %s writes nothing where the request is in a state that it may not start from',
    async (trigger) => {
      const from: readonly Status[] = transitions[trigger].from;
      const others = statusSchema.options.filter((status) => !from.includes(status));
      for (const status of others) {
        await intake.query('update intake.request set status = $2 where id = $1', [requestId, status]);
        const [before] = await intake.query<{ fence: number }>(snapshot, [requestId]);
        const rows = await write(trigger, from[0] as Status, before?.fence ?? -1);
        expect([status, rows, await intake.query(snapshot, [requestId])]).toEqual([status, [], [before]]);
      }
    },
  );

  it.each(triggers)('by %s is written from every state that it may start from', async (trigger) => {
    for (const status of transitions[trigger].from) {
      // Numbers of a request move forward one by one: the plan follows from the attempts that are stored.
      await intake.query(
        'update intake.request set status = $2, validation_attempt = $3, generation_attempt = $3 where id = $1',
        [requestId, status, attempt + 1],
      );
      const [before] = await intake.query<{ fence: number }>(snapshot, [requestId]);
      expect(await write(trigger, status, before?.fence ?? -1)).toHaveLength(1);
    }
  });

  const due = `update intake.request set status = $2, validation_status = 'PENDING', validation_attempt = 1,
    lease_until = null, due_at = '2020-01-01', expires_at = null where id = $1`;

  it('begins a validation in no other state', async () => {
    const from: readonly Status[] = transitions.startValidation.from;
    for (const status of statusSchema.options) {
      await intake.query(due, [other.requestId, status]);
      await makeAuthentic(intake.ground, other.requestId);
      const job = { requestId: other.requestId, attempt: 1, now: new Date() };
      const begun = await beginValidation({ database, rows }, job);
      expect([status, begun !== undefined]).toEqual([status, from.includes(status)]);
    }
  });

  it('begins none on data that were changed, and looks at them again later each time', async () => {
    await intake.query(due, [other.requestId, 'REGISTERED']);
    await makeAuthentic(intake.ground, other.requestId);
    await intake.query(
      `update intake.request set attempts = 0, identification_number = '1710034065' where id = $1`,
      [other.requestId],
    );
    const job = { requestId: other.requestId, attempt: 1, now: new Date() };
    const parked: unknown[] = [];
    for (let times = 0; times < 3; times++) parked.push(await beginValidation({ database, rows }, job));
    expect(parked).toEqual([{ parkedMs: 2_000 }, { parkedMs: 4_000 }, { parkedMs: 8_000 }]);
    await intake.query('update intake.request set attempts = 40 where id = $1', [other.requestId]);
    expect(await beginValidation({ database, rows }, job)).toEqual({ parkedMs: 3_600_000 });
  });

  it('expires in no other state', async () => {
    const from: readonly Status[] = transitions.expire.from;
    const retention = { issuedDays: 3_653, unissuedDays: 90 };
    const { text, params = [] } = expireRequests({ clock: () => new Date(), retention });
    for (const status of statusSchema.options) {
      await intake.query(due, [requestId, status]);
      const expired = await database.statement({ name: 'expire', text, params });
      expect([status, expired.length]).toEqual([status, from.includes(status) ? 1 : 0]);
    }
  });
});
