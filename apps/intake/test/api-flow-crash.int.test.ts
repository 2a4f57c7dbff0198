import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { crashPoints } from '../src/base/crash-points.ts';
import { flowGround } from './support/api-flow.ts';
import { arm, startProcess } from './support/intake-process.ts';

const ground = await disposeAfterAll(flowGround());

/** Nobody waits half a minute in a test for the lease of a dead process. */
function endLease(requestId: string) {
  return ground.intake.query('update intake.request set lease_until = null where id = $1', [requestId]);
}

async function attemptsOf(requestId: string) {
  const sql = 'select attempt, result from intake.identity_attempt where request_id = $1 order by attempt';
  return ground.intake.query(sql, [requestId]);
}

async function sessionsOf(requestId: string) {
  const sql = 'select attempt, status from intake.liveness_session where request_id = $1 order by attempt';
  return ground.intake.query(sql, [requestId]);
}

/** A request one step before the one that is killed: each in its own way, all made while intake lives. */
interface Case {
  readonly point: string;
  readonly prepare: () => Promise<string>;
  readonly step: (requestId: string) => Promise<unknown>;
  readonly survived: (requestId: string) => Promise<void>;
}

function wrongFinger() {
  return ground.register({ identificationNumber: '2450000704' });
}

async function identified(fields?: Record<string, string>) {
  const requestId = await ground.register(fields);
  await ground.identity(requestId);
  return requestId;
}

const sessions = new Map<string, string>();
async function begun() {
  const requestId = await identified({ identificationNumber: '2450001702' });
  sessions.set(requestId, (await ground.liveness(requestId)).livenessSessionId);
  return requestId;
}

function checked(requestId: string) {
  return ground.check(requestId, sessions.get(requestId) ?? '');
}

const cases: readonly Case[] = [
  {
    point: crashPoints.beforeIdentityOutcome,
    prepare: wrongFinger,
    step: (requestId) => ground.identity(requestId),
    survived: async (requestId) => {
      expect(await attemptsOf(requestId)).toEqual([]);
      expect(await ground.identity(requestId)).toMatchObject({ result: 'REJECTED', attemptsRemaining: 2 });
      expect(await ground.rowOf(requestId)).toMatchObject({ validation_attempt: 1 });
    },
  },
  {
    point: crashPoints.afterIdentityOutcome,
    prepare: wrongFinger,
    step: (requestId) => ground.identity(requestId),
    survived: async (requestId) => {
      expect(await attemptsOf(requestId)).toEqual([{ attempt: 1, result: 'REJECTED' }]);
      expect(await ground.identity(requestId)).toMatchObject({ attemptsRemaining: 1 });
    },
  },
  {
    point: crashPoints.beforeLivenessSession,
    prepare: () => identified(),
    step: (requestId) => ground.liveness(requestId),
    survived: async (requestId) => {
      expect(await sessionsOf(requestId)).toEqual([]);
      expect(await ground.liveness(requestId)).toMatchObject({ attemptNumber: 1 });
    },
  },
  {
    point: crashPoints.afterLivenessSession,
    prepare: () => identified(),
    step: (requestId) => ground.liveness(requestId),
    survived: async (requestId) => {
      expect(await ground.liveness(requestId)).toMatchObject({ attemptNumber: 1 });
      expect(await sessionsOf(requestId)).toHaveLength(1);
    },
  },
  {
    point: crashPoints.beforeLivenessOutcome,
    prepare: begun,
    step: checked,
    survived: async (requestId) => {
      expect(await sessionsOf(requestId)).toEqual([{ attempt: 1, status: null }]);
      expect(await checked(requestId)).toMatchObject({ status: 'FAILED', nextStep: 'LIVENESS_REQUEST' });
    },
  },
  {
    point: crashPoints.afterLivenessOutcome,
    prepare: begun,
    step: checked,
    survived: async (requestId) => {
      expect(await checked(requestId)).toMatchObject({ status: 'FAILED', nextStep: 'LIVENESS_REQUEST' });
      expect(await sessionsOf(requestId)).toEqual([{ attempt: 1, status: 'FAILED' }]);
    },
  },
  {
    point: crashPoints.afterIssuanceStarts,
    prepare: () => ground.approved(),
    step: (requestId) => ground.issue(requestId),
    survived: async (requestId) => {
      expect(await ground.issue(requestId)).toMatchObject({ status: 'GENERATING' });
      const jobs = await ground.intake.outbox('jobs.certificate.issue');
      expect(jobs.filter((job) => job.requestId === requestId)).toHaveLength(1);
    },
  },
];

/** Eight processes are started, one after the other. */
const patience = { timeout: 900_000 };

it(
  'killed at any point of any step, intake neither loses the request nor counts an attempt twice',
  patience,
  async () => {
    const ready: { one: Case; requestId: string }[] = [];
    for (const one of cases) ready.push({ one, requestId: await one.prepare() });
    await ground.intake.stopService();
    const { env } = ground.intake.ground;
    const answers = (requestId: string) => ground.statusOf(requestId).catch(() => undefined);
    for (const { one, requestId } of ready) {
      await arm(env, one.point);
      await using first = startProcess(env);
      await pollFor(async () => (await answers(requestId)) !== undefined, { what: `${one.point} runs` });
      // The caller of a dead process waits for its deadline, the test does not.
      void one.step(requestId).catch(() => undefined);
      const [, signal] = await first.ended;
      expect(signal, one.point).toBe('SIGKILL');
    }
    await using _second = startProcess(env);
    for (const { one, requestId } of ready) {
      await pollFor(async () => (await answers(requestId)) !== undefined, { what: 'intake is back' });
      await endLease(requestId);
      await one.survived(requestId);
    }
  },
);
