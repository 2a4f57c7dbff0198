import { connectBus } from '@rubrica/bus';
import type { EvidenceEntry, EvidenceStoreName } from '@rubrica/contracts/services/schemas/evidence';
import { DAY_MS, HOUR_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { type EvidenceLocks, openEvidenceStores } from '@rubrica/evidence-store';
import { smallS3 } from '@rubrica/evidence-store/small-s3';
import { createLogger } from '@rubrica/process/log';
import { createMetrics } from '@rubrica/process/metrics';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../src/config.ts';
import { schema } from '../src/entities.ts';
import { switchToCopy } from '../src/requests/evidence/change-store/change-store-sql.ts';
import { runChange } from '../src/requests/evidence/change-store/run-change.ts';
import { findRequestFiles } from '../src/requests/evidence/evidence-file.ts';
import { createApplyLocks } from '../src/requests/evidence/lock/apply-locks.ts';
import { walkAllLocks } from '../src/requests/evidence/lock/start-locks.ts';
import { createMove } from '../src/requests/evidence/move/move-evidence.ts';
import { createOpenEvidence } from '../src/requests/evidence/open-evidence.ts';
import { createScrub } from '../src/requests/evidence/scrub/scrub-evidence.ts';
import { sweepEvidenceObjects } from '../src/requests/evidence/sweep-evidence.ts';
import { sweepRetention } from '../src/requests/retention/sweep-retention.ts';
import { openEntries } from './support/own-database.ts';
import { playRenewals } from './support/play-renewals.ts';
import { asOperator, byTwo, runningIntake } from './support/running-intake.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const never = new AbortController().signal;
const passport = Buffer.from('a passport');
const reason = 'a court asked';
const s3 = await disposeAfterAll(smallS3());
// Where the SDK finds them by itself.
vi.stubEnv('AWS_ACCESS_KEY_ID', s3.settings.credentials?.accessKeyId);
vi.stubEnv('AWS_SECRET_ACCESS_KEY', s3.settings.credentials?.secretAccessKey);
const env = { ...s3.env, EVIDENCE_STORE: 's3', EVIDENCE_SCRUB_DAYS: '0' };
const intake = await disposeAfterAll(runningIntake(env));
const renewals = await disposeAfterAll(playRenewals(intake));
const bus = await disposeAfterAll(connectBus((await intake.ground.peer('intake')).streams));
const { evidence } = readConfig({ ...intake.ground.env, ...env });
const metrics = createMetrics({ service: 'test' });
const stores = await openEvidenceStores(evidence, { streams: bus, logger: quiet, metrics });
const entries = await openEntries(intake.ground);
const database = await disposeAfterAll(
  createDatabase({
    ...{ url: intake.ground.service.appUrl, schema, entities: [], entries },
    logger: quiet,
  }),
);

afterAll(() => vi.unstubAllEnvs());
beforeEach(async () => {
  await intake.query('delete from intake.evidence_lock');
  await intake.query('delete from intake.evidence');
  await sweep();
  await intake.query("update intake.evidence_move set last_id = '00000000-0000-0000-0000-000000000000'");
});

const keepIn = (store: EvidenceStoreName) => (content: Buffer) => stores.named(store).keep(content);
async function putIncoming(content: Buffer): Promise<EvidenceEntry> {
  const upload = stores.named('s3').upload();
  upload.write(content);
  return upload.finish();
}

/** A certificate and its renewal, whose evidence is the same. */
async function renewed(put?: (content: Buffer) => Promise<EvidenceEntry>) {
  const former = await renewals.issued([passport], put);
  const renewal = await renewals.renew(former);
  return { former: former.requestId, renewal };
}

async function objectOf(requestId: string): Promise<EvidenceEntry | null | undefined> {
  const sql = 'select object from intake.evidence where request_id = $1';
  return (await intake.query<{ object: EvidenceEntry | null }>(sql, [requestId])).at(0)?.object;
}

async function opened(requestId: string): Promise<string[]> {
  const found = await findRequestFiles(database, requestId);
  const { keyring } = await intake.ground.peer('intake');
  const open = await createOpenEvidence({ keyring, stores })({
    requestId,
    sealedKey: found?.sealedKey ?? '',
  }).catch(() => undefined);
  return Promise.all((found?.files ?? []).map(async (file) => String(await open?.(file))));
}

async function endRetention(requestId: string): Promise<void> {
  await intake.query('update intake.request set evidence_due_at = now() where id = $1', [requestId]);
  const days = { issuedDays: 3653, unissuedDays: 90 };
  await sweepRetention(database, { now: new Date(Date.now() + 1_000), days });
}

async function sweep(): Promise<number> {
  const { removed } = await sweepEvidenceObjects(
    { stores: stores.all, sql: database },
    { olderThanMs: -60_000, areas: ['incoming', 'kept'] },
  );
  return removed;
}

const move = () =>
  createMove({
    ...{ database, stores, clock: () => new Date(), logger: quiet, onMoved: () => undefined },
    settings: { after: 'end', megabytesPerSecond: 1_000 },
  })(never);

describe.each(['former', 'renewal'] as const)(
  'an object of a certificate and its renewal, the %s erased first',
  (first) => {
    it.each([
      ['kept in S3', keepIn('s3')],
      ['in the bucket of NATS', keepIn('nats')],
      ['as the gateway put it', putIncoming],
    ] as const)('%s: is opened by the other, and goes with it', async (_, put) => {
      const both = await renewed(put);
      await renewals.issue(both.renewal);
      expect(await objectOf(both.renewal)).toEqual(await objectOf(both.former));
      const other = first === 'former' ? 'renewal' : 'former';
      await endRetention(both[first]);
      expect(await sweep()).toBe(0);
      expect([await opened(both[first]), await opened(both[other])]).toEqual([[], ['a passport']]);
      await endRetention(both[other]);
      expect(await sweep()).toBe(1);
    });
  },
);

describe('the mover', () => {
  it('takes bytes of both rows out, each when its own request has ended', async () => {
    const { former, renewal } = await renewed();
    await move();
    expect([await objectOf(former), await objectOf(renewal)]).toEqual([
      expect.objectContaining({ area: 'kept' }),
      null,
    ]);
    await renewals.issue(renewal);
    await move();
    expect(await objectOf(renewal)).toMatchObject({ area: 'kept' });
    await endRetention(former);
    expect([await sweep(), await opened(renewal)]).toEqual([1, ['a passport']]);
  });

  it('writes what lies under incoming/ once, for both', async () => {
    const { former, renewal } = await renewed(putIncoming);
    await move();
    expect(await objectOf(former)).toMatchObject({ area: 'kept' });
    expect(await objectOf(renewal)).toEqual(await objectOf(former));
    expect(await sweep()).toBe(1);
    expect([await opened(former), await opened(renewal)]).toEqual([['a passport'], ['a passport']]);
  });
});

it('a change of store copies an object of both once, and its count says so', async () => {
  const { former, renewal } = await renewed(keepIn('nats'));
  let said = '';
  const deps = { database, stores, clock: () => new Date(), say: (text: string) => (said += text) };
  expect(await runChange(deps, { from: 'nats', to: 's3', megabytesPerSecond: 1_000 }, never)).toBe(0);
  expect(said).toContain('2 files name 1 objects in s3');
  expect(await objectOf(renewal)).toEqual(await objectOf(former));
  expect(await sweep()).toBe(1);
  expect([await opened(former), await opened(renewal)]).toEqual([['a passport'], ['a passport']]);
});

it('the scrub opens it for both, each by its own key, and says of both that it is gone', async () => {
  const { former, renewal } = await renewed(keepIn('s3'));
  const { keyring } = await intake.ground.peer('intake');
  const scrub = async () => {
    const outcomes: string[] = [];
    await intake.query(
      `update intake.evidence_scrub set last_id = '00000000-0000-0000-0000-000000000000', due_at = now(),
       began_at = now(), lease_until = null`,
    );
    await createScrub({
      ...{ database, timeZone: 'America/Guayaquil', clock: () => new Date(), logger: quiet },
      openEvidence: createOpenEvidence({ keyring, stores }),
      settings: { days: 10, megabytesPerSecond: 1_000 },
      onRead: (outcome) => outcomes.push(outcome),
    })(never);
    return outcomes;
  };
  expect(await scrub()).toEqual(['sound', 'sound']);
  await stores.remove((await objectOf(former)) as EvidenceEntry);
  expect(await scrub()).toEqual(['missing', 'missing']);
  await endRetention(former);
  expect(await scrub()).toEqual(['missing']);
  const faults = await intake.query<{ id: string }>(
    'select request_id as id from intake.evidence_fault join intake.evidence on evidence.id = evidence_id',
  );
  expect(faults).toEqual([{ id: renewal }]);
});

/** A transaction that is idle for ten seconds is ended. */
const stayAwake = statement({ name: 'stay-awake', sql: 'select 1' });

it('a renewal that is made while the object of the former goes over names the one that stays', async () => {
  const former = await renewals.issued([passport], putIncoming);
  const moved = await stores.named('s3').keep(Buffer.from('its copy'));
  const object = await objectOf(former.requestId);
  const [row] = await intake.query<{ id: string }>('select id from intake.evidence where request_id = $1', [
    former.requestId,
  ]);
  const renewing = Promise.withResolvers<Promise<string>>();
  await database.transaction(async (em) => {
    await switchToCopy(em, {
      ...{ id: row?.id ?? '', formerId: object?.id ?? '' },
      ...{ object: moved, lock: undefined },
    });
    let isOver = false;
    const renewal = renewals.renew(former).finally(() => {
      isOver = true;
    });
    renewing.resolve(renewal);
    const isWaiting = async () => {
      await stayAwake.run(em, {});
      const waiting =
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%into request%'";
      return (await intake.query(waiting)).length > 0;
    };
    await expect.poll(async () => isOver || (await isWaiting()), { timeout: 60_000 }).toBe(true);
  });
  expect(await objectOf(await await renewing.promise)).toEqual(moved);
});

describe('the lock of an object of both', () => {
  const objects = new Map<string, { until?: Date; isHeld?: boolean }>();
  const change = async (id: string, what: object) => void objects.set(id, { ...objects.get(id), ...what });
  /** Of the store nothing but the locks is played: the small one knows none. */
  const locks: EvidenceLocks = {
    mode: 'compliance',
    retain: ({ id }, until) => change(id, { until }),
    hold: ({ id }, isHeld) => change(id, { isHeld }),
    destroy: async ({ id }) => void objects.delete(id),
    isReady: async () => true,
  };
  const carryOut = (now = new Date()) =>
    createApplyLocks({
      ...{ database, locks, clock: () => now, logger: quiet, onDone: () => undefined },
    })(never);
  const begunAt = Math.floor(Date.now() / 1_000) * 1_000;
  const dueIn = (days: number) => new Date(begunAt + days * DAY_MS);
  const endsAt = (requestId: string, at: Date) =>
    intake.query('update intake.request set evidence_due_at = $2 where id = $1', [requestId, at]);
  const lookedAt = async () =>
    (await intake.query<{ at: Date | null }>('select due_at as at from intake.evidence_lock')).at(0)?.at;

  /** The former's retention ends in ten days, and its object is locked so long. */
  async function locked() {
    objects.clear();
    const former = await renewals.issued([passport], keepIn('s3'));
    await endsAt(former.requestId, dueIn(10));
    await walkAllLocks({ database }, never, 0);
    await carryOut();
    const id = (await objectOf(former.requestId))?.id ?? '';
    expect([objects.get(id), await lookedAt()]).toEqual([{ until: dueIn(10) }, null]);
    return { former, id };
  }

  it('lasts until the later end, which is looked for each hour as long as the renewal is under way', async () => {
    const { former, id } = await locked();
    const renewal = await renewals.renew(former);
    const now = new Date();
    await carryOut(now);
    expect([objects.get(id), await lookedAt()]).toEqual([
      { until: dueIn(10) },
      new Date(now.getTime() + HOUR_MS),
    ]);
    await renewals.issue(renewal);
    await endsAt(renewal, dueIn(30));
    await intake.query('update intake.evidence_lock set due_at = now()');
    await carryOut();
    expect([objects.get(id), await lookedAt()]).toEqual([{ until: dueIn(30) }, null]);
    await endRetention(former.requestId);
    await carryOut(dueIn(11));
    expect(objects.get(id)).toEqual({ until: dueIn(30) });
    await endRetention(renewal);
    await carryOut(dueIn(11));
    expect([objects.has(id), await lookedAt()]).toEqual([true, dueIn(30)]);
    await intake.query('update intake.evidence_lock set due_at = now()');
    await carryOut(dueIn(31));
    expect(objects.has(id)).toBe(false);
  });

  it('is held by a legal hold on either', async () => {
    const { former, id } = await locked();
    const renewal = await renewals.renew(former);
    await renewals.issue(renewal);
    const set = (requestId: string) =>
      intake.operators(asOperator('admin')).requests.legalHold.mutate({ requestId, reason });
    const lift = (requestId: string) =>
      byTwo(intake, (admin) => admin.requests.releaseLegalHold.mutate({ requestId, reason }));
    await set(former.requestId);
    await set(renewal);
    await carryOut();
    expect(objects.get(id)?.isHeld).toBe(true);
    await lift(former.requestId);
    await carryOut();
    expect(objects.get(id)?.isHeld).toBe(true);
    await lift(renewal);
    await carryOut();
    expect(objects.get(id)?.isHeld).toBe(false);
  });
});
