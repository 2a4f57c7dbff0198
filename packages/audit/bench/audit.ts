/** Prints what the audit chain costs: inserts with and without a chainer running, places per second, verification. */
import { fork } from 'node:child_process';
import { verifyAudit } from '../src/verification/verify-audit.ts';
import { auditGround, auditTable, untilAllChained } from '../test/support/audit.ts';

const lanes = 16;
const seconds = 4;
const rounds = 3;
const write = (line: string) => void process.stdout.write(`${line}\n`);
const figure = (label: string, value: number, unit: string) =>
  write(`${label.padEnd(62)} ${value.toFixed(value < 100 ? 2 : 0).padStart(8)} ${unit}`);

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

await using ground = await auditGround({ fsync: 'on', autovacuum: 'on' });
const { database, service, keys } = ground;

const insert = () =>
  database.statement({
    name: 'bench-audit',
    text: 'insert into audit (actor, details) values ($1, $2)',
    params: ['service:generation', { certificateId: 'c'.repeat(36), issuer: 'issuing', truncated: [] }],
  });

async function insertRate(): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  let done = 0;
  const lane = async () => {
    for (; performance.now() < end; done += 1) await insert();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return done / seconds;
}

/** At a rate of many issuances a second, which write two rows each: median of an insert, in milliseconds. */
async function insertLatency(): Promise<number> {
  const samples: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const started = performance.now();
    await Promise.all(Array.from({ length: 6 }, insert));
    samples.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return median(samples);
}

/** A process of its own: what it costs PostgreSQL and the cores, not what it takes from this event loop. */
async function besideChainer<T>(work: () => Promise<T>): Promise<T> {
  const child = fork(
    new URL('../test/support/crashing-chainer.ts', import.meta.url),
    [service.appUrl, service.schema, keys.privatePem, keys.kid, '{"pollMs":1000}'],
    { execArgv: [] },
  );
  const result = await work();
  await untilAllChained(database);
  child.disconnect();
  return result;
}

await insertRate();
const alone: number[] = [];
const withChainer: number[] = [];
// In turns, so that a slow minute of the machine falls on both.
for (let round = 0; round < rounds; round += 1) {
  alone.push(await insertRate());
  await ground.chainAll();
  withChainer.push(await besideChainer(insertRate));
}
figure('inserts, one row a commit, no chainer', median(alone), '/s');
figure('inserts, one row a commit, chainer in another process', median(withChainer), '/s');
figure('ratio, on cores that have nothing to spare', median(withChainer) / median(alone), '');
const calm = await insertLatency();
await ground.chainAll();
const calmBeside = await besideChainer(insertLatency);
figure('six inserts every 10 ms, no chainer', calm, 'ms');
figure('six inserts every 10 ms, chainer in another process', calmBeside, 'ms');

const backlog = 50_000;
await database.execute(
  `insert into audit (actor, details) select 'service:generation', jsonb_build_object('certificateId', repeat('c', 36))
   from generate_series(1, $1)`,
  [backlog],
);
const before = performance.now();
await ground.chainAll();
const perRow = ((performance.now() - before) * 1_000) / backlog;
figure('chaining a backlog, per row', perRow, 'µs');

const started = performance.now();
let next: number | null = 1;
let rows = 0;
let memory = 0;
let memoryBefore = 0;
while (next !== null) {
  const step = await verifyAudit({ sql: database, table: auditTable, keys }, { from: next, maxRows: 20_000 });
  if (step.findings.length > 0) throw new Error(`found ${JSON.stringify(step.findings[0])}`);
  rows += step.rows;
  next = step.next;
  memory = process.memoryUsage().rss;
  memoryBefore ||= memory;
}
figure(`verifying ${rows} rows`, (rows * 1_000) / (performance.now() - started), 'rows/s');
figure('memory after the last row, against that after 20,000', memory / memoryBefore, '');
