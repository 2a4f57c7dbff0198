import { disposeAfterAll } from '@rubrica/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { flowGround } from './support/api-flow.ts';
import { commandsOf, type Example, end, examples, register, run } from './support/family-commands.ts';
import { changePartner } from './support/own-database.ts';
import { partnerIds } from './support/running-intake.ts';
import { ends, mayBegin, mayGo, type State } from './support/state-oracle.ts';

const ground = await disposeAfterAll(flowGround());
await changePartner(ground.intake.ground, partnerIds.other, { reviewPolicy: 'four-eyes' });

interface Record extends State {
  readonly due: boolean;
  readonly retryCount: number;
  readonly history: readonly (State & { readonly trigger: string })[];
  readonly successes: number;
}

/** In one statement: the service goes on meanwhile. */
async function recordOf(requestId: string): Promise<Record> {
  const [row] = await ground.intake.query<Record>(
    `select status, validation_status as "validationStatus", due_at is not null as due, retry_count as "retryCount",
       (select count(*)::int from intake.webhook_event
        where request_id = request.id and type = 'certificate.issued') as successes,
       (select jsonb_agg(jsonb_build_object('trigger', trigger, 'status', step.status,
          'validationStatus', step.validation_status) order by place)
        from intake.step where request_id = request.id) as history
     from intake.request where id = $1`,
    [requestId],
  );
  return row as Record;
}

/** What holds of a request at any time, whatever was done to it. */
async function assertSound({ family }: Example, requestId: string): Promise<void> {
  const row = await recordOf(requestId);
  const [first, ...later] = row.history;
  expect(first && mayBegin(family, first), JSON.stringify(first)).toBe(true);
  let before = first as State;
  for (const after of later) {
    const same = after.status === before.status && after.validationStatus === before.validationStatus;
    const step = `${family} ${after.trigger}: ${before.status}/${before.validationStatus} → ${after.status}/${after.validationStatus}`;
    expect(same || mayGo(family, before, after), step).toBe(true);
    before = after;
  }
  expect([row.status, row.validationStatus]).toEqual([before.status, before.validationStatus]);
  expect(row.retryCount).toBeLessThanOrEqual(2);
  const isOver = ends.includes(row.status);
  // Whatever is neither over nor before a person is looked at again by itself.
  expect(row.due || isOver || row.validationStatus === 'MANUALLY_VALIDATING', JSON.stringify(row)).toBe(true);
  expect(row.history.filter(({ trigger }) => trigger === 'issue').length).toBeLessThanOrEqual(1);
  expect(row.successes).toBeLessThanOrEqual(1);
}

const example = fc.constantFrom(...examples);
const steps = example.chain((one) =>
  fc.tuple(
    fc.constant(one),
    // Some of them two at once.
    fc.array(fc.array(commandsOf(one), { minLength: 1, maxLength: 2 }), { minLength: 3, maxLength: 14 }),
  ),
);

it('no sequence of calls and faults leads to a state outside the table, to two certificates, or to a request without an end', {
  timeout: 400_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async ([one, sequence]) => {
      const requestId = await register(ground, one);
      for (const together of sequence) {
        await Promise.all(together.map((command) => run(ground, { one, requestId }, command)));
        await assertSound(one, requestId);
      }
      await end(ground, { one, requestId });
      await assertSound(one, requestId);
      expect(ends).toContain((await recordOf(requestId)).status);
    }),
    { numRuns: Number(process.env.MODEL_RUNS ?? 60) },
  );
});
