import { randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { type EvidenceLocks, EvidenceStoreError } from '@rubrica/evidence-store';
import { createLogger } from '@rubrica/process/log';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { createApplyLocks, type LockOutcome } from '../src/requests/evidence/lock/apply-locks.ts';
import { walkAllLocks } from '../src/requests/evidence/lock/start-locks.ts';
import { createMove, type MoveDeps } from '../src/requests/evidence/move/move-evidence.ts';
import { sweepEvidenceObjects } from '../src/requests/evidence/sweep-evidence.ts';
import { sweepRetention } from '../src/requests/retention/sweep-retention.ts';
import { openEntries } from './support/own-database.ts';
import { asOperator, asPartner, byTwo, makeRegistration, runningIntake } from './support/running-intake.ts';
import { sealFiles } from './support/seal-files.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const never = new AbortController().signal;
const days = { issuedDays: 3653, unissuedDays: 90 };
const reason = 'a court asked';
let outcomes: LockOutcome[] = [];
let store: PlayedLocks;
const intake = await disposeAfterAll(runningIntake({ EVIDENCE_SCRUB_DAYS: '0' }));
const entries = await openEntries(intake.ground);
const database = await disposeAfterAll(
  createDatabase({
    ...{ url: intake.ground.service.appUrl, schema, entities: [], entries },
    logger: quiet,
  }),
);

beforeEach(async () => {
  await intake.query('delete from intake.evidence');
  await intake.query('delete from intake.evidence_lock');
  outcomes = [];
  store = playLocks();
});

/** A store that locks, of which nothing but the locks is played: the small one that tests have knows none; Ceph, in the drill, does. */
type PlayedLocks = ReturnType<typeof playLocks>;
function playLocks() {
  const objects = new Map<string, { retainUntil?: Date; isHeld?: boolean }>();
  const change = async (id: string, what: object) => void objects.set(id, { ...objects.get(id), ...what });
  const locks: EvidenceLocks = {
    mode: 'compliance',
    retain: ({ id }, retainUntil) => change(id, { retainUntil }),
    hold: ({ id }, isHeld) => change(id, { isHeld }),
    async destroy({ id }) {
      const { isHeld = false, retainUntil = new Date(0) } = objects.get(id) ?? {};
      if (isHeld || retainUntil.getTime() > Date.now()) throw new EvidenceStoreError('forbidden', 'locked');
      objects.delete(id);
    },
    isReady: async () => true,
  };
  return { objects, locks };
}

/** A request that ended so long ago, whose evidence was put under `kept/` before there were locks. */
async function kept({ agoMs = 0 } = {}): Promise<{ requestId: string; objectId: string; endsAt: Date }> {
  const requestId = await registered();
  const objectId = randomBytes(16).toString('hex');
  const object = {
    id: objectId,
    chunks: 1,
    sizeBytes: 10,
    sha256: 'a'.repeat(64),
    store: 's3',
    area: 'kept',
  };
  const endsAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 - agoMs + 90 * DAY_MS);
  await intake.query('update intake.evidence set content = null, object = $2 where request_id = $1', [
    requestId,
    JSON.stringify(object),
  ]);
  await end(requestId, endsAt);
  store.objects.set(objectId, {});
  return { requestId, objectId, endsAt };
}

async function registered(): Promise<string> {
  const requestId = uuidv7();
  const { keyring } = await intake.ground.peer('gateway');
  const evidence = await sealFiles({ keyring, requestId }, [Buffer.from('passport')]);
  const registration = makeRegistration({ identificationNumber: '2450001504' }, { requestId, evidence });
  await intake.client(asPartner('sandbox')).requests.register.mutate(registration);
  return requestId;
}

async function end(requestId: string, endsAt: Date): Promise<void> {
  await intake.query(
    "update intake.request set status = 'REFUSED', updated_at = now(), evidence_due_at = $2 where id = $1",
    [requestId, endsAt],
  );
}

function carryOut(locks: EvidenceLocks = store.locks, clock = () => new Date()) {
  const onDone = (outcome: LockOutcome) => outcomes.push(outcome);
  return createApplyLocks({ database, locks, clock, logger: quiet, onDone })(never);
}
const walk = () => walkAllLocks({ database }, never, 0);
const locksInRows = () =>
  intake.query(
    'select object_id as id, is_erased as "isErased", due_at as "dueAt" from intake.evidence_lock',
  );

async function legalHold(requestId: string): Promise<void> {
  const { requests } = intake.operators(asOperator('admin'));
  await requests.legalHold.mutate({ requestId, reason });
}

it('what was kept before gets the end of its retention, once, and again where that moved to later', async () => {
  const { requestId, objectId, endsAt } = await kept();
  await walk();
  await carryOut();
  await walk();
  await carryOut();
  expect(store.objects.get(objectId)).toEqual({ retainUntil: endsAt });
  expect(outcomes).toEqual(['retained']);
  const later = new Date(endsAt.getTime() + DAY_MS);
  await end(requestId, later);
  await walk();
  await carryOut();
  expect(store.objects.get(objectId)).toEqual({ retainUntil: later });
});

it('a legal hold is set and lifted in the store too', async () => {
  const { requestId, objectId, endsAt } = await kept();
  await walk();
  await carryOut();
  await legalHold(requestId);
  await carryOut();
  expect(store.objects.get(objectId)).toEqual({ retainUntil: endsAt, isHeld: true });
  await byTwo(intake, (admin) => admin.requests.releaseLegalHold.mutate({ requestId, reason }));
  await carryOut();
  expect(store.objects.get(objectId)).toEqual({ retainUntil: endsAt, isHeld: false });
  await carryOut();
  expect(outcomes).toEqual(['retained', 'held', 'lifted']);
});

it('a legal hold that comes while another change is on its way to the store is carried out after it', async () => {
  const { requestId, objectId } = await kept();
  await walk();
  await carryOut({
    ...store.locks,
    async retain(entry, until) {
      await legalHold(requestId);
      await store.locks.retain(entry, until);
    },
  });
  expect(store.objects.get(objectId)?.isHeld).toBeUndefined();
  await carryOut();
  expect(store.objects.get(objectId)?.isHeld).toBe(true);
});

it('erased evidence loses its row at once, and its object when the lock is over and not before', async () => {
  const { requestId, objectId, endsAt } = await kept();
  await walk();
  await carryOut();
  await byTwo(intake, (admin) => admin.requests.erase.mutate({ requestId, reason }));
  expect(await intake.query('select 1 from intake.evidence where request_id = $1', [requestId])).toEqual([]);
  await carryOut();
  expect(await locksInRows()).toEqual([{ id: objectId, isErased: true, dueAt: endsAt }]);
  expect(store.objects.has(objectId)).toBe(true);

  // The date passes: in the store, and for whoever looks.
  store.objects.set(objectId, { retainUntil: new Date(Date.now() - 1_000) });
  await intake.query("update intake.evidence_lock set due_at = now() - interval '1 second'");
  await carryOut(store.locks, () => new Date(endsAt.getTime() + 1));
  expect(store.objects.has(objectId)).toBe(false);
  expect(await locksInRows()).toEqual([]);
  expect(outcomes).toEqual(['retained', 'removed']);
});

it('what falls due at the end of its retention goes from the store, which refuses as long as it sees a lock', async () => {
  const { objectId } = await kept({ agoMs: 91 * DAY_MS });
  await walk();
  await carryOut();
  expect(outcomes).toEqual([]);
  await sweepRetention(database, { now: new Date(), days });
  store.objects.set(objectId, { retainUntil: new Date(Date.now() + HOUR_MS) });
  await carryOut();
  expect(outcomes).toEqual(['failed']);
  expect(store.objects.has(objectId)).toBe(true);
  store.objects.set(objectId, {});
  await carryOut();
  expect(outcomes).toEqual(['failed']);
  await intake.query('update intake.evidence_lock set due_at = now()');
  await carryOut();
  expect(outcomes).toEqual(['failed', 'removed']);
});

it('a store that is away is tried with one object, and with all of them once it is back', async () => {
  const all = [await kept(), await kept(), await kept()];
  await walk();
  const away = new EvidenceStoreError('unavailable', 'away');
  const isMore = await carryOut({ ...store.locks, retain: () => Promise.reject(away) });
  expect([isMore, outcomes]).toEqual([false, ['failed']]);
  await carryOut();
  for (const { objectId, endsAt } of all)
    expect(store.objects.get(objectId)).toEqual({ retainUntil: endsAt });
});

it('what waits for the end of its lock is no orphan, and what is not kept in S3 has no lock', async () => {
  const { requestId, objectId } = await kept();
  await registered();
  await walk();
  expect(await locksInRows()).toMatchObject([{ id: objectId }]);
  await byTwo(intake, (admin) => admin.requests.erase.mutate({ requestId, reason }));
  let wanted: ReadonlySet<string> = new Set();
  const sweeping = {
    async sweep(options: { wanted: (ids: string[]) => Promise<ReadonlySet<string>> }) {
      wanted = await options.wanted([objectId, '0'.repeat(32)]);
      return { removed: 0, foreign: 0 };
    },
  };
  await sweepEvidenceObjects({ stores: [sweeping], sql: database }, { olderThanMs: 0 });
  expect([...wanted]).toEqual([objectId]);
});

it('the mover puts with the end of the retention, and remembers a locked copy that no row took', async () => {
  const requestId = await registered();
  const endsAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 + DAY_MS);
  await end(requestId, endsAt);
  const moved = keeping();
  await moved.move(never);
  const [object] = await intake.query(
    "select object ->> 'id' as id from intake.evidence where request_id = $1",
    [requestId],
  );
  expect(moved.until).toEqual([endsAt]);
  expect(await locksInRows()).toMatchObject([{ id: object?.id, isErased: false }]);

  const erased = await registered();
  await end(erased, endsAt);
  const left = keeping(() =>
    intake.query('update intake.request set evidence_key = null where id = $1', [erased]),
  );
  await left.move(never);
  await carryOut();
  expect(await locksInRows()).toContainEqual({ id: left.ids[0], isErased: true, dueAt: endsAt });
});

/** A mover to a store that keeps in memory what it is given, and says until when. */
function keeping(atReadBack: () => Promise<unknown> = async () => undefined) {
  const [until, ids, bytes]: [(Date | undefined)[], string[], Map<string, Buffer>] = [[], [], new Map()];
  const current = {
    locks: store.locks,
    async keep(content: Buffer, retainUntil?: Date) {
      const id = randomBytes(16).toString('hex');
      until.push(retainUntil);
      ids.push(id);
      bytes.set(id, content);
      return { id, chunks: 1, sizeBytes: content.length, sha256: 'a'.repeat(64), store: 's3', area: 'kept' };
    },
  };
  const get = ({ id }: { id: string }) => ({
    async bytes() {
      await atReadBack();
      return bytes.get(id) ?? Buffer.alloc(0);
    },
  });
  const stores = { current, get, remove: async () => undefined } as unknown as MoveDeps['stores'];
  const settings = { after: 'end', megabytesPerSecond: 1_000 } as const;
  const onMoved = () => undefined;
  const deps = { database, stores, settings, clock: () => new Date(), logger: quiet, onMoved };
  return { until, ids, move: createMove(deps) };
}
