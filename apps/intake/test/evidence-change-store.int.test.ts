import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connectBus } from '@rubrica/bus';
import { createDatabase } from '@rubrica/database/connection';
import { openEvidenceStores } from '@rubrica/evidence-store';
import { smallS3 } from '@rubrica/evidence-store/small-s3';
import { createLogger } from '@rubrica/process/log';
import { createMetrics } from '@rubrica/process/metrics';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterAll, expect, it, vi } from 'vitest';
import { readConfig } from '../src/config.ts';
import { schema } from '../src/entities.ts';
import { runCheck } from '../src/requests/evidence/change-store/run-check.ts';
import { findRequestFiles } from '../src/requests/evidence/evidence-file.ts';
import { createMove } from '../src/requests/evidence/move/move-evidence.ts';
import { createOpenEvidence } from '../src/requests/evidence/open-evidence.ts';
import { sweepEvidenceObjects } from '../src/requests/evidence/sweep-evidence.ts';
import { asPartner, makeRegistration, runningIntake } from './support/running-intake.ts';
import { putObject, sealFiles } from './support/seal-files.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const program = new URL('../src/main.ts', import.meta.url).pathname;
const patience = { timeout: 60_000 };
const s3 = await disposeAfterAll(smallS3());
// Where the SDK finds them by itself.
vi.stubEnv('AWS_ACCESS_KEY_ID', s3.settings.credentials?.accessKeyId);
vi.stubEnv('AWS_SECRET_ACCESS_KEY', s3.settings.credentials?.secretAccessKey);
const intake = await disposeAfterAll(
  runningIntake({ ...s3.env, EVIDENCE_STORE: 's3', EVIDENCE_SCRUB_DAYS: '0' }),
);
const bus = await disposeAfterAll(connectBus((await intake.ground.peer('intake')).streams));
const { evidence } = readConfig(settings('s3'));
const metrics = createMetrics({ service: 'test' });
const stores = await openEvidenceStores(evidence, { streams: bus, logger: quiet, metrics });
const database = await disposeAfterAll(
  createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger: quiet }),
);

afterAll(() => vi.unstubAllEnvs());

function settings(store: 'nats' | 's3') {
  return { ...process.env, ...intake.ground.env, ...s3.env, EVIDENCE_STORE: store };
}

function start(store: 'nats' | 's3', args: string) {
  const child = spawn(process.execPath, [program, 'evidence', ...args.split(' ')], { env: settings(store) });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
  const ended = once(child, 'close').then(([code]) => ({ code, text }));
  return { child, ended };
}

/** With files of 10 kB each; in the bucket of NATS, unless said; null: in their rows. */
async function registered(
  count: number,
  put?: ((content: Buffer) => ReturnType<typeof putObject>) | null,
): Promise<string> {
  const requestId = uuidv7();
  const { keyring } = await intake.ground.peer('gateway');
  const gateway = await connectBus((await intake.ground.peer('gateway')).streams);
  const files = Array.from({ length: count }, (_, index) => Buffer.alloc(10_000, index));
  const evidence = await sealFiles(
    { keyring, requestId },
    files,
    put === null ? undefined : (put ?? ((content) => putObject(gateway, content))),
  );
  await gateway.drain();
  const registration = makeRegistration({ identificationNumber: '2450001504' }, { requestId, evidence });
  await intake.client(asPartner('sandbox')).requests.register.mutate(registration);
  return requestId;
}

async function filesIn(store: 'nats' | 's3'): Promise<number> {
  const sql = `select count(*)::int as count from intake.evidence
    where object is not null and coalesce(object ->> 'store', 'nats') = $1`;
  const [row] = await intake.query<{ count: number }>(sql, [store]);
  return row?.count ?? 0;
}

async function read(requestId: string): Promise<number[]> {
  const { keyring } = await intake.ground.peer('intake');
  const found = await findRequestFiles(database, requestId);
  const sealedKey = found?.sealedKey ?? '';
  const open = await createOpenEvidence({ keyring, stores })({ requestId, sealedKey });
  return Promise.all((found?.files ?? []).map(async (file) => (await open(file))[0] ?? -1));
}

const sweep = () => sweepEvidenceObjects({ stores: stores.all, sql: database }, { olderThanMs: -60_000 });

it('all evidence goes over, also when it was killed in the middle; then back; and nothing is left over', {
  timeout: 180_000,
}, async () => {
  const requests = [await registered(20), await registered(20), await registered(20)];
  const sound = Array.from({ length: 20 }, (_, index) => index);
  expect(await filesIn('nats')).toBe(60);

  // A tenth of a MB a second: six seconds for all of it.
  const killed = start('s3', 'move --from nats --to s3 --mb-per-second 0.1');
  await expect.poll(() => filesIn('s3'), patience).toBeGreaterThan(0);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(await filesIn('nats')).toBeGreaterThan(0);
  for (const request of requests) expect(await read(request)).toEqual(sound);

  const over = await start('s3', 'move --from nats --to s3').ended;
  expect(over).toMatchObject({ code: 0, text: expect.stringContaining('60 files name 60 objects in s3') });
  expect([await filesIn('nats'), await filesIn('s3')]).toEqual([0, 60]);
  await sweep();
  for (const request of requests) expect(await read(request)).toEqual(sound);
  expect((await sweep()).removed).toBe(0);
  let said = '';
  expect(await runCheck({ database, stores, say: (text) => (said += text) })).toBe(0);
  expect(said).toContain('60 files name 60 objects in s3, 601680 bytes; 0 are not there');

  const [some] = await intake.query<{ id: string }>(
    "select object ->> 'id' as id from intake.evidence limit 1",
  );
  await stores.named('s3').remove({ id: some?.id ?? '', area: 'kept' });
  expect(await start('s3', 'check').ended).toMatchObject({
    code: 1,
    text: expect.stringContaining('60 files name 60 objects in s3, 601680 bytes; 1 are not there'),
  });
  const back = await start('nats', 'move --from s3 --to nats').ended;
  expect(back).toMatchObject({ code: 1, text: expect.stringContaining('1 files are left in s3') });
  expect([await filesIn('nats'), await filesIn('s3')]).toEqual([59, 1]);
});

it('what the gateway put under incoming/ goes to kept/ when its request has ended, and no other', async () => {
  await intake.query('delete from intake.evidence');
  const put = async (content: Buffer) => {
    const upload = stores.named('s3').upload();
    upload.write(content);
    upload.end();
    return upload.finish();
  };
  const [ended, open] = [await registered(3, put), await registered(2, put)];
  await intake.query("update intake.request set status = 'REFUSED' where id = $1", [ended]);
  await intake.query("update intake.request set status = 'ERROR' where id = $1", [open]);
  const outcomes: string[] = [];
  const move = createMove({
    database,
    stores,
    settings: { after: 'end', megabytesPerSecond: 1_000 },
    clock: () => new Date(),
    logger: quiet,
    onMoved: (outcome) => outcomes.push(outcome),
  });
  await move(new AbortController().signal);
  expect(outcomes).toEqual(['moved', 'moved', 'moved']);
  const areas = (request: string) =>
    intake.query("select object ->> 'area' as area from intake.evidence where request_id = $1", [request]);
  expect(await areas(ended)).toEqual(Array(3).fill({ area: 'kept' }));
  expect(await areas(open)).toEqual(Array(2).fill({ area: 'incoming' }));
  await sweep();
  expect([await read(ended), await read(open)]).toEqual([
    [0, 1, 2],
    [0, 1],
  ]);
});

it('small evidence stays in its row while the store is away or full, and goes there once it takes it again', async () => {
  await intake.query('delete from intake.evidence');
  await intake.query("update intake.evidence_move set last_id = '00000000-0000-0000-0000-000000000000'");
  const request = await registered(2, null);
  await intake.query("update intake.request set status = 'REFUSED' where id = $1", [request]);
  const outcomes: string[] = [];
  const move = () =>
    createMove({
      ...{ database, stores, clock: () => new Date(), logger: quiet },
      settings: { after: 'end', megabytesPerSecond: 1_000 },
      onMoved: (outcome) => outcomes.push(outcome),
    })(new AbortController().signal);
  await s3.stop();
  await move();
  await s3.start();
  s3.setFull(true);
  await move();
  expect([outcomes, await filesIn('s3')]).toEqual([Array(4).fill('failed'), 0]);
  expect(await read(request)).toEqual([0, 1]);
  s3.setFull(false);
  await move();
  expect([outcomes.slice(4), await filesIn('s3')]).toEqual([['moved', 'moved'], 2]);
  await sweep();
  expect(await read(request)).toEqual([0, 1]);
});

it.each([
  ['nats', 'move --from nats --to s3', 'EVIDENCE_STORE is nats'],
  ['s3', 'move --from s3 --to s3', 'are the same store'],
  ['s3', 'move --to s3', '--from takes a store'],
] as const)('with EVIDENCE_STORE=%s, %s tries nothing', async (store, args, says) => {
  expect(await start(store, args).ended).toMatchObject({ code: 2, text: expect.stringContaining(says) });
});
