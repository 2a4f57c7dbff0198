import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { type CrashPoint, crashPoints } from '../src/issuance/crash-points.ts';
import { listenToEvents } from './support/events.ts';
import { generation } from './support/generation.ts';
import { makeOrder, type OrderOverrides } from './support/orders.ts';

const env = await disposeAfterAll(generation());
const log = await disposeAfterAll(listenToEvents(env.intakePeer));

interface Traces {
  /** States of the serial numbers that were taken, oldest first; that of a certificate is in its row alone. */
  readonly serials: string[];
  readonly certificates: number;
  readonly bundles: number;
  readonly actions: string[];
  readonly state: string | undefined;
}

async function tracesOf(requestId: string): Promise<Traces> {
  const column = async (sql: string) =>
    (await env.database.query<{ value: string }>(sql, [requestId])).map(({ value }) => value);
  return {
    serials: await column(
      `select state as value, reserved_at as at from generation.serial_number where request_id = $1
       union all select 'ISSUED', issued_at from generation.certificate where request_id = $1 order by at`,
    ),
    certificates: (await column('select id::text as value from generation.certificate where request_id = $1'))
      .length,
    bundles: (
      await column(
        'select c.id::text as value from generation.bundle b join generation.certificate c on c.id = b.certificate_id where c.request_id = $1',
      )
    ).length,
    actions: await column(
      'select action as value from generation.audit_entry where request_id = $1 order by sequence',
    ),
    state: (await column('select state as value from generation.issuance where request_id = $1'))[0],
  };
}

/** Orders a certificate, kills the process at the point, and looks at what is left; then starts another one. */
async function crashAt(point: CrashPoint, overrides: OrderOverrides = {}) {
  const job = { requestId: uuidv7(), attempt: 1 };
  env.intake.place(makeOrder(job, overrides));
  await env.arm(point);
  await using first = env.spawn();
  await env.intake.publishJob(job);
  expect(await first.exited).toEqual([null, 'SIGKILL']);
  const afterCrash = await tracesOf(job.requestId);
  await using _ = env.spawn();
  // What intake's sweep does, so that the test need not wait for the consumer's ack_wait.
  await env.intake.publishJob(job, `swept:${job.requestId}`);
  await expect.poll(() => log.of(job.requestId).length).toBeGreaterThan(0);
  const heard = log.of(job.requestId).length;
  await env.intake.publishJob(job, `once-more:${job.requestId}`);
  await expect.poll(() => log.of(job.requestId).length).toBeGreaterThan(heard);
  return { job, afterCrash, inTheEnd: await tracesOf(job.requestId), events: log.of(job.requestId) };
}

const issuedOnce = { certificates: 1, bundles: 1, state: 'ISSUED' };

const cases: [point: CrashPoint, afterCrash: Partial<Traces>, inTheEnd: Partial<Traces>][] = [
  [
    crashPoints.afterLease,
    { serials: [], certificates: 0, actions: [], state: 'PENDING' },
    { ...issuedOnce, serials: ['ISSUED'], actions: ['certificate.intended', 'certificate.issued'] },
  ],
  [
    crashPoints.afterKey,
    { serials: [], certificates: 0, actions: [], state: 'PENDING' },
    { ...issuedOnce, serials: ['ISSUED'], actions: ['certificate.intended', 'certificate.issued'] },
  ],
  [
    crashPoints.afterReserve,
    { serials: ['RESERVED'], certificates: 0, actions: [], state: 'PENDING' },
    {
      ...issuedOnce,
      serials: ['ABANDONED', 'ISSUED'],
      actions: ['certificate.intended', 'certificate.issued'],
    },
  ],
  ...[crashPoints.afterIntent, crashPoints.afterSign, crashPoints.afterPackage].map(
    (point): [CrashPoint, Partial<Traces>, Partial<Traces>] => [
      point,
      { serials: ['INTENDED'], certificates: 0, actions: ['certificate.intended'], state: 'PENDING' },
      {
        ...issuedOnce,
        serials: ['ABANDONED', 'ISSUED'],
        actions: ['certificate.intended', 'certificate.intended', 'certificate.issued'],
      },
    ],
  ),
  [
    crashPoints.afterStore,
    { ...issuedOnce, serials: ['ISSUED'], actions: ['certificate.intended', 'certificate.issued'] },
    { ...issuedOnce, serials: ['ISSUED'], actions: ['certificate.intended', 'certificate.issued'] },
  ],
];

describe('killed while it issues', () => {
  it.each(cases)('at %s: no certificate or one, never two', async (point, afterCrash, inTheEnd) => {
    const crash = await crashAt(point);
    expect(crash.afterCrash).toMatchObject(afterCrash);
    expect(crash.inTheEnd).toMatchObject(inTheEnd);
    const serials = crash.events.map((event) =>
      event.subject === 'issued' ? event.serialNumber : event.code,
    );
    expect(new Set(serials).size).toBe(1);
  });

  it(`at ${crashPoints.afterFailure}: the attempt stays failed, and intake hears of it`, async () => {
    const crash = await crashAt(crashPoints.afterFailure, {
      subject: { identificationNumber: '2450001207' },
    });
    expect(crash.afterCrash).toMatchObject({ certificates: 0, state: 'FAILED' });
    expect(crash.inTheEnd).toMatchObject({
      certificates: 0,
      state: 'FAILED',
      actions: ['certificate.refused'],
    });
    expect(crash.events[0]).toMatchObject({ subject: 'failed', code: 'KEY_GENERATION_FAILED', attempt: 1 });
  });

  it('has no crash point without a test', () => {
    const tested = [...cases.map(([point]) => point), crashPoints.afterFailure];
    expect(new Set(tested)).toEqual(new Set(Object.values(crashPoints)));
  });

  it('again and again: the attempt ends as failed instead of killing workers without end', async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    env.intake.place(makeOrder(job));
    for (let start = 1; start <= 2; start++) {
      await env.arm(crashPoints.afterKey);
      await using doomed = env.spawn({ ISSUANCE_MAX_STARTS: '2', ISSUANCE_LEASE_SECONDS: '1' });
      await env.intake.publishJob(job, `start-${start}:${job.requestId}`);
      expect(await doomed.exited).toEqual([null, 'SIGKILL']);
    }
    await using _ = env.spawn({ ISSUANCE_MAX_STARTS: '2', ISSUANCE_LEASE_SECONDS: '1' });
    await env.intake.publishJob(job, `start-3:${job.requestId}`);
    await expect
      .poll(() => log.of(job.requestId)[0])
      .toMatchObject({
        subject: 'failed',
        code: 'INTERNAL_ERROR',
      });
  });
});

describe('two workers', () => {
  it('given the same job many times make one certificate', async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    env.intake.place(makeOrder(job, { keyType: 'RSA-3072' }));
    // On a slow machine each takes the job from the other again and again: that is no crash, and must not end it here.
    const impatient = {
      ISSUANCE_MAX_STARTS: '100',
      ISSUANCE_LEASE_SECONDS: '1',
      KEY_POOL_SIZE: '0',
    };
    await using _one = env.spawn(impatient);
    await using _two = env.spawn(impatient);
    for (let copy = 1; copy <= 8; copy++) await env.intake.publishJob(job, `copy-${copy}:${job.requestId}`);
    await expect.poll(() => log.of(job.requestId).length).toBeGreaterThan(1);
    const { certificates, bundles, state, actions } = await tracesOf(job.requestId);
    expect({ certificates, bundles, state }).toEqual({ certificates: 1, bundles: 1, state: 'ISSUED' });
    expect(actions.filter((action) => action === 'certificate.issued')).toHaveLength(1);
  });
});
