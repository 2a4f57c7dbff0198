import { connectBus } from '@rubrica/bus';
import { createDatabase } from '@rubrica/database/connection';
import {
  EvidenceStoreError,
  type EvidenceStores,
  openEvidenceStores,
  type StoredEvidence,
} from '@rubrica/evidence-store';
import { createLogger } from '@rubrica/process/log';
import { createMetrics } from '@rubrica/process/metrics';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { schema } from '../src/entities.ts';
import { findRequestFiles } from '../src/requests/evidence/evidence-file.ts';
import { createMove, type MoveDeps } from '../src/requests/evidence/move/move-evidence.ts';
import { createOpenEvidence } from '../src/requests/evidence/open-evidence.ts';
import { sweepEvidenceObjects } from '../src/requests/evidence/sweep-evidence.ts';
import { asPartner, makeRegistration, runningIntake } from './support/running-intake.ts';
import { sealFiles } from './support/seal-files.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const never = new AbortController().signal;
const inRow = { isInRow: true, isInStore: false };
const inStore = { isInRow: false, isInStore: true };
let outcomes: string[] = [];
const intake = await disposeAfterAll(runningIntake({ EVIDENCE_SCRUB_DAYS: '0' }));
const bus = await disposeAfterAll(connectBus((await intake.ground.peer('intake')).streams));
const { evidence } = readConfig(intake.ground.env);
const stores = await openEvidenceStores(evidence, {
  streams: bus,
  logger: quiet,
  metrics: createMetrics({ service: 'test' }),
});
const database = await disposeAfterAll(
  createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger: quiet }),
);

beforeEach(async () => {
  outcomes = [];
  await intake.query('delete from intake.evidence');
  await sweep();
  await intake.query(
    "update intake.evidence_move set lease_until = null, last_id = '00000000-0000-0000-0000-000000000000'",
  );
});

/** Of what nothing can use. */
async function sweep() {
  const { removed } = await sweepEvidenceObjects(
    { stores: stores.all, sql: database },
    { olderThanMs: -1_000 },
  );
  return removed;
}

function moving(changes: Partial<MoveDeps> = {}) {
  return createMove({
    database,
    stores,
    settings: { after: 'end', megabytesPerSecond: 1_000 },
    clock: () => new Date(),
    logger: quiet,
    onMoved: (outcome) => outcomes.push(outcome),
    ...changes,
  });
}

/** A registered request with files in their rows, then in the state that is said. */
async function registered(status: string, count = 1): Promise<string> {
  const requestId = uuidv7();
  const { keyring } = await intake.ground.peer('gateway');
  const files = Array.from({ length: count }, (_, index) => Buffer.from(`passport ${index}`));
  const evidence = await sealFiles({ keyring, requestId }, files);
  const registration = makeRegistration({ identificationNumber: '2450001504' }, { requestId, evidence });
  await intake.client(asPartner('sandbox')).requests.register.mutate(registration);
  await intake.query('update intake.request set status = $2 where id = $1', [requestId, status]);
  return requestId;
}

function placesOf(requestId: string) {
  return intake.query(
    `select content is not null as "isInRow", object is not null as "isInStore" from intake.evidence
    where request_id = $1 order by position`,
    [requestId],
  );
}

async function read(requestId: string): Promise<string[]> {
  const { keyring } = await intake.ground.peer('intake');
  const found = await findRequestFiles(database, requestId);
  const open = await createOpenEvidence({ keyring, stores })({
    requestId,
    sealedKey: found?.sealedKey ?? '',
  });
  return Promise.all((found?.files ?? []).map(async (file) => String(await open(file))));
}

/** The stores, but that this happens when what was written is read back. */
function atReadBack(happens: () => Promise<void>): MoveDeps['stores'] {
  const get: EvidenceStores['get'] = (entry) => {
    const stored = stores.get(entry);
    const read: StoredEvidence = {
      ...stored,
      async bytes() {
        await happens();
        return stored.bytes();
      },
    };
    return read;
  };
  return { current: stores.current, get };
}

it('takes the evidence of ended requests into the store, more than a batch of it, and no other; all can be read', async () => {
  const ended = await registered('REFUSED', 20);
  const open = await registered('ERROR', 2);
  const approved = await registered('APPROVED');
  const last = await registered('GENERATED');
  expect(await moving()(never)).toBe(true);
  expect(await moving()(never)).toBe(false);
  expect(outcomes).toEqual(Array(21).fill('moved'));
  expect(await placesOf(ended)).toEqual(Array(20).fill(inStore));
  expect([...(await placesOf(last)), ...(await placesOf(open)), ...(await placesOf(approved))]).toEqual([
    inStore,
    inRow,
    inRow,
    inRow,
  ]);
  expect(await read(ended)).toEqual(Array.from({ length: 20 }, (_, index) => `passport ${index}`));
  expect(await read(open)).toEqual(['passport 0', 'passport 1']);
  expect(await sweep()).toBe(0);

  expect(await moving({ settings: { after: 'validation', megabytesPerSecond: 1_000 } })(never)).toBe(false);
  expect(await placesOf(approved)).toEqual([inStore]);
});

it('leaves the row as it was where it ends between store and row; the sweep finds the copy, and the next run moves it', async () => {
  const requestId = await registered('REFUSED');
  const dies = atReadBack(() => Promise.reject(new Error('killed')));
  await expect(moving({ stores: dies })(never)).rejects.toThrow('killed');
  expect(await placesOf(requestId)).toEqual([inRow]);
  expect(await moving()(never)).toBe(false);
  expect(outcomes).toEqual([]);
  expect(await sweep()).toBe(1);
  await intake.query('update intake.evidence_move set lease_until = null');
  await moving()(never);
  expect(await read(requestId)).toEqual(['passport 0']);
  expect(outcomes).toEqual(['moved']);
});

it('keeps nothing of what was erased or changed while it was copied', async () => {
  const erased = await registered('REFUSED');
  const erasing = atReadBack(async () => {
    await intake.query('update intake.request set evidence_key = null where id = $1', [erased]);
  });
  await moving({ stores: erasing })(never);
  const changed = await registered('REFUSED');
  const changing = atReadBack(async () => {
    await intake.query("update intake.evidence set content = '\\x00' where request_id = $1", [changed]);
  });
  await moving({ stores: changing })(never);
  expect(outcomes).toEqual(['left', 'left']);
  expect([...(await placesOf(erased)), ...(await placesOf(changed))]).toEqual([inRow, inRow]);
  expect(await sweep()).toBe(0);
});

it('leaves rows as they are where the store fails, asks it no more after three, and tries them again', async () => {
  const requestId = await registered('REFUSED', 5);
  const failing = atReadBack(() => Promise.reject(new EvidenceStoreError('unavailable', 'away')));
  expect(await moving({ stores: failing })(never)).toBe(false);
  expect(outcomes).toEqual(['failed', 'failed', 'failed']);
  expect(await placesOf(requestId)).toEqual(Array(5).fill(inRow));
  // The rest of this round, and the next one.
  await moving()(never);
  await moving()(never);
  expect(await placesOf(requestId)).toEqual(Array(5).fill(inStore));
});

it('a file that fails each time holds up none behind it', async () => {
  const requestId = await registered('REFUSED', 4);
  let reads = 0;
  const failing = atReadBack(async () => {
    reads += 1;
    if (reads === 1) throw new EvidenceStoreError('corrupt', 'turned');
  });
  expect(await moving({ stores: failing })(never)).toBe(false);
  expect(outcomes).toEqual(['failed', 'moved', 'moved', 'moved']);
  expect((await placesOf(requestId)).filter(({ isInRow }) => isInRow)).toHaveLength(1);
  await moving()(never);
  expect(await placesOf(requestId)).toEqual(Array(4).fill(inStore));
});
