import { connectBus, type ObjectEntry } from '@rubrica/bus';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { EvidenceStoreError, openEvidenceStores } from '@rubrica/evidence-store';
import { createLogger } from '@rubrica/process/log';
import { createMetrics } from '@rubrica/process/metrics';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { schema } from '../src/entities.ts';
import { createOpenEvidence } from '../src/requests/evidence/open-evidence.ts';
import { createScrub, type ScrubDeps } from '../src/requests/evidence/scrub/scrub-evidence.ts';
import { openEntries } from './support/own-database.ts';
import { asOperator, asPartner, makeRegistration, runningIntake } from './support/running-intake.ts';
import { putObject, sealFiles } from './support/seal-files.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const never = new AbortController().signal;
const days = 10;
let nowMs = Date.now();
let outcomes: string[] = [];
const intake = await disposeAfterAll(runningIntake({ EVIDENCE_SCRUB_DAYS: '0' }));
const gatewayBus = await disposeAfterAll(connectBus((await intake.ground.peer('gateway')).streams));
const intakeBus = await disposeAfterAll(connectBus((await intake.ground.peer('intake')).streams));
const { evidence } = readConfig(intake.ground.env);
const metrics = createMetrics({ service: 'test' });
const stores = await openEvidenceStores(evidence, { streams: intakeBus, logger: quiet, metrics });
const entries = await openEntries(intake.ground);
const database = await disposeAfterAll(
  createDatabase({
    ...{ url: intake.ground.service.appUrl, schema, entities: [], entries },
    logger: quiet,
  }),
);

beforeEach(async () => {
  outcomes = [];
  await intake.query('delete from intake.evidence');
  // Noon where the deployment is: no day ends within a test unless the test says so.
  nowMs = new Date().setUTCHours(17, 0, 0, 0);
  await intake.query(
    `update intake.evidence_scrub set last_id = '00000000-0000-0000-0000-000000000000', read = 0, began_at = $1,
    due_at = $1, day = ($1::timestamptz at time zone 'America/Guayaquil')::date, sound = 0, missing = 0,
    damaged = 0, unopenable = 0, bytes = 0, lease_until = null`,
    [new Date(nowMs)],
  );
});

async function scrubbing(changes: Partial<ScrubDeps> = {}) {
  const { keyring } = await intake.ground.peer('intake');
  return createScrub({
    database,
    openEvidence: createOpenEvidence({ keyring, stores }),
    settings: { days, megabytesPerSecond: 1_000 },
    clock: () => new Date(nowMs),
    timeZone: 'America/Guayaquil',
    logger: quiet,
    onRead: (outcome) => outcomes.push(outcome),
    ...changes,
  });
}

type Place = 'row' | 'store';

/** A registered request with as many files as places. @returns its id and those of its files, in their order */
async function registered(...places: readonly Place[]) {
  const requestId = uuidv7();
  const { keyring } = await intake.ground.peer('gateway');
  const files = places.map((place) => Buffer.from(`a passport in the ${place}`));
  const put = places.includes('store') ? (content: Buffer) => putObject(gatewayBus, content) : undefined;
  const evidence = await sealFiles({ keyring, requestId }, files, put);
  const registration = makeRegistration({ identificationNumber: '2450001504' }, { requestId, evidence });
  await intake.client(asPartner('sandbox')).requests.register.mutate(registration);
  return { requestId, ids: evidence.items.map(({ evidenceId }) => evidenceId) };
}

function change(id: string | undefined, columns: string) {
  return intake.query(`update intake.evidence set ${columns} where id = $1`, [id]);
}

async function faults() {
  const rows = await intake.query<{ id: string; outcome: string }>(
    'select evidence_id as id, outcome from intake.evidence_fault',
  );
  return Object.fromEntries(rows.map(({ id, outcome }) => [id, outcome]));
}

async function removeObject(id: string | undefined) {
  const rows = await intake.query<{ object: ObjectEntry }>(
    'select object from intake.evidence where id = $1',
    [id],
  );
  await stores.remove(rows[0]?.object as ObjectEntry);
}

it('finds each object that is gone, turned or replaced, and each row that points to nothing, and no other', async () => {
  const inRows = await registered('row', 'row', 'row');
  const inStore = await registered('store', 'store', 'store', 'store');
  const locked = await registered('row');
  const [turned, empty] = inRows.ids;
  const [deleted, replaced, other] = inStore.ids;
  await change(turned, 'content = set_bit(content, 200, 1 - get_bit(content, 200))');
  await change(empty, 'content = null');
  await removeObject(deleted);
  await intake.query(
    `update intake.evidence set object = jsonb_set(object, '{id}', (
      select object -> 'id' from intake.evidence where id = $2)) where id = $1`,
    [replaced, other],
  );
  await intake.query('update intake.request set evidence_key = $2 where id = $1', [
    locked.requestId,
    await (await intake.ground.peer('gateway')).keyring.sealTo('intake', Buffer.alloc(32), {
      purpose: 'evidence-key',
      owner: inRows.requestId,
    }),
  ]);
  const scrub = await scrubbing();
  await scrub(never);
  const found = {
    [turned as string]: 'damaged',
    [empty as string]: 'missing',
    [deleted as string]: 'missing',
    [replaced as string]: 'damaged',
    [locked.ids[0] as string]: 'unopenable',
  };
  expect(await faults()).toEqual(found);
  expect(outcomes.toSorted()).toEqual([...Object.values(found), 'sound', 'sound', 'sound'].toSorted());

  const { faultyEvidence } = await intake.operators(asOperator('viewer')).overview.query();
  expect(Object.fromEntries(faultyEvidence.map(({ evidenceId, outcome }) => [evidenceId, outcome]))).toEqual(
    found,
  );
  expect(new Set(faultyEvidence.map(({ requestId }) => requestId))).toEqual(
    new Set([inRows, inStore, locked].map(({ requestId }) => requestId)),
  );

  nowMs += DAY_MS;
  await scrub(never);
  await scrub(never);
  const { items } = await intake
    .operators(asOperator('viewer'))
    .audit.list.query({ service: 'intake', action: 'evidence.scrub' });
  expect(items).toHaveLength(1);
  expect(items[0]?.details).toMatchObject({ sound: 3, missing: 2, damaged: 2, unopenable: 1, part: 1 });
  const listed = items[0]?.details.found as { evidenceId: string; outcome: string }[];
  expect(Object.fromEntries(listed.map(({ evidenceId, outcome }) => [evidenceId, outcome]))).toEqual(found);

  // What was put back is sound in the next round, and not before: nothing is read until then.
  await change(turned, 'content = set_bit(content, 200, 1 - get_bit(content, 200))');
  expect(outcomes).toHaveLength(8);
  nowMs += days * DAY_MS;
  await scrub(never);
  expect(Object.keys(await faults())).not.toContain(turned);
  expect(Object.keys(await faults())).toHaveLength(4);
});

it('goes on behind a row whose entry is none, and names all that it found, a hundred in an audit entry', async () => {
  const { requestId, ids } = await registered('store');
  await change(ids[0], `object = jsonb_set(object, '{id}', '"*"')`);
  await intake.query(
    `insert into intake.evidence (id, request_id, position, media_type, size, sha256)
     select gen_random_uuid(), $1, 1 + n, 'image/png', 5, repeat('a', 64) from generate_series(1, 120) as n`,
    [requestId],
  );
  const scrub = await scrubbing();
  for (let batch = 0; batch < 7; batch += 1) {
    await scrub(never);
    await intake.query('update intake.evidence_scrub set due_at = began_at where read > 0');
  }
  expect((await faults())[ids[0] as string]).toBe('damaged');
  expect(outcomes).toHaveLength(121);
  nowMs += 2 * DAY_MS;
  await scrub(never);
  const details = await intake.query<{ part: number; found: number }>(
    `select (details ->> 'part')::int as part, jsonb_array_length(details -> 'found') as found
     from intake.audit where action = 'evidence.scrub' and details -> 'missing' = '120' order by 1`,
  );
  expect(details).toEqual([
    { part: 1, found: 100 },
    { part: 2, found: 21 },
  ]);
});

it('takes what was erased while it was read for no fault', async () => {
  const { requestId, ids } = await registered('store');
  await removeObject(ids[0]);
  const { keyring } = await intake.ground.peer('intake');
  const open = createOpenEvidence({ keyring, stores });
  const scrub = await scrubbing({
    openEvidence: async (request) => {
      await intake.query('update intake.request set evidence_key = null where id = $1', [requestId]);
      return open(request);
    },
  });
  await scrub(never);
  expect([await faults(), outcomes]).toEqual([{}, []]);
});

it('waits at the file whose store does not answer, and goes on there', async () => {
  await registered('row');
  await registered('store');
  await registered('row');
  const { keyring } = await intake.ground.peer('intake');
  const away = () => Promise.reject(new EvidenceStoreError('unavailable', 'away'));
  const noStores = { get: () => ({ bytes: away, chunks: away as never }) };
  const cut = await scrubbing({ openEvidence: createOpenEvidence({ keyring, stores: noStores }) });
  expect(await cut(never)).toBe(false);
  nowMs += days * DAY_MS;
  expect(await cut(never)).toBe(false);
  expect(outcomes).toEqual(['sound', 'unread', 'unread']);
  expect(await faults()).toEqual({});
  await (await scrubbing())(never);
  expect(outcomes).toEqual(['sound', 'unread', 'unread', 'sound', 'sound']);
});

it('is done by one copy at a time, and what a copy found after it lost its lease is not written', async () => {
  const { ids } = await registered('row');
  await change(ids[0], 'content = null');
  const second = await scrubbing();
  const { keyring } = await intake.ground.peer('intake');
  const open = createOpenEvidence({
    keyring,
    stores,
  });
  let isFirst = true;
  const first = await scrubbing({
    openEvidence: async (request) => {
      if (isFirst) {
        isFirst = false;
        expect(await second(never)).toBe(false);
        expect(outcomes).toEqual([]);
        await intake.query(
          "update intake.evidence_scrub set fence = fence + 1, lease_until = now() - interval '1 s'",
        );
      }
      return open(request);
    },
  });
  expect(await first(never)).toBe(false);
  expect(await faults()).toEqual({});
  await second(never);
  expect(await faults()).toEqual({ [ids[0] as string]: 'missing' });
});
