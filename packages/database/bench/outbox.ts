/** Prints what an outbox row costs a transaction, and how long a commit takes to reach the publisher. */
import { fork } from 'node:child_process';
import { testPostgres } from '@rubrica/testkit';
import pg from 'pg';
import { createDatabase, type Database } from '../src/connection/index.ts';
import { namedLockSql } from '../src/lock/named-lock-sql.ts';
import { migrate } from '../src/migrate/index.ts';
import {
  emit,
  emitting,
  type OutboxEvent,
  type OutboxParams,
  outboxParams,
  outboxSql,
} from '../src/outbox/index.ts';
import { outboxMessageIdSql } from '../src/outbox/outbox-sql.ts';
import { createRelay } from '../src/relay/index.ts';
import { statement } from '../src/statement/index.ts';
import { quiet } from '../test/support/quiet.ts';

const connections = 32;
const write = (line: string) => void process.stdout.write(`${line}\n`);

await using postgres = await testPostgres({ settings: { fsync: 'on', autovacuum: 'on' } });
const service = await postgres.service('bench');
await migrate({
  ownerUrl: service.ownerUrl,
  schema: service.schema,
  appRole: service.appRole,
  logger: quiet,
  migrations: [
    {
      name: '20260101000000_base',
      sql: `${outboxSql}${outboxMessageIdSql}${namedLockSql} create table requests (id text primary key, body jsonb not null);`,
    },
  ],
});
const url = service.appUrl;
const database = createDatabase({ url, schema: service.schema, entities: [], logger: quiet, poolSize: 8 });

let counter = 0;
const event = (): OutboxEvent & { id: string } => {
  counter += 1;
  return { subject: 'jobs.bench.run', id: `b${counter}`, payload: { requestId: `b${counter}` } };
};
const body = JSON.stringify({ name: 'x'.repeat(500) });

async function inTransaction(target: Database): Promise<string> {
  const next = event();
  await target.transaction(async (em) => {
    await em.execute('insert into requests (id, body) values (?, ?)', [next.id, body]);
    await emit(em, next);
  });
  return next.id;
}

const insert = statement<{ id: string; body: string } & OutboxParams>({
  name: 'bench-insert',
  emits: true,
  sql: `with request as (insert into requests (id, body) values (:id, :body) returning id)
    ${emitting({ from: 'request', gives: 'id' })}`,
});

async function inOneStatement(target: Database): Promise<string> {
  const next = event();
  await insert.run(target, { id: next.id, body, ...outboxParams(next) });
  return next.id;
}

const bare = new pg.Pool({ connectionString: url, max: 8, options: `-c search_path=${service.schema}` });
async function bareTransaction(): Promise<void> {
  const next = event();
  const client = await bare.connect();
  await client.query('begin');
  await client.query('insert into requests (id, body) values ($1, $2)', [next.id, body]);
  await client.query('insert into outbox (message_id, subject, payload, headers) values ($1, $2, $3, $4)', [
    next.id,
    next.subject,
    JSON.stringify(next.payload),
    '{}',
  ]);
  await client.query('commit');
  client.release();
}

async function rate(label: string, work: () => Promise<unknown>, seconds = 4): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  let done = 0;
  const lane = async () => {
    for (; performance.now() < end; done += 1) await work();
  };
  await Promise.all(Array.from({ length: connections }, lane));
  write(`${label.padEnd(58)} ${String(Math.round(done / seconds)).padStart(7)} /s`);
}

async function latency(label: string, published: Map<string, bigint>): Promise<void> {
  const samples: number[] = [];
  for (let round = 0; round < 300; round += 1) {
    const id = await inOneStatement(database);
    const committed = process.hrtime.bigint();
    while (!published.has(id)) await new Promise((resolve) => setTimeout(resolve, 1));
    samples.push(Number((published.get(id) ?? 0n) - committed) / 1e6);
    await new Promise((resolve) => setTimeout(resolve, 5 + (round % 10)));
  }
  samples.sort((a, b) => a - b);
  const at = (share: number) => (samples[Math.floor(samples.length * share)] ?? 0).toFixed(2);
  write(`${label.padEnd(58)} p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}

async function latencyAcrossProcesses(): Promise<void> {
  const published = new Map<string, bigint>();
  const child = fork(new URL('./relay-process.ts', import.meta.url), [url, service.schema]);
  await new Promise<void>((resolve) => {
    child.on('message', (message: { id?: string; at?: string; isActive?: boolean }) => {
      if (message.isActive) resolve();
      if (message.id && message.at) published.set(message.id, BigInt(message.at));
    });
  });
  const idle = createRelay({
    databaseUrl: url,
    database,
    logger: quiet,
    publish: async () => ({ duplicate: false }),
  });
  idle.start();
  await latency('commit to publish, relay in another process', published);
  await idle.stop();
  child.disconnect();
  await new Promise((resolve) => child.once('exit', resolve));
}

await rate('bare pg: begin, row, outbox row, commit', bareTransaction, 2);
await rate('bare pg: begin, row, outbox row, commit', bareTransaction);
await rate('transaction() with emit()', () => inTransaction(database));
await rate('one statement with emitting()', () => inOneStatement(database));
await database.execute('truncate outbox').catch(() => database.execute('delete from outbox'));
await latencyAcrossProcesses();

const published = new Map<string, bigint>();
let count = 0;
const relay = createRelay({
  databaseUrl: url,
  database,
  logger: quiet,
  async publish({ id }) {
    count += 1;
    published.set(id, process.hrtime.bigint());
    await new Promise((resolve) => setImmediate(resolve));
    return { duplicate: false };
  },
});
relay.start();
while (!relay.isActive()) await new Promise((resolve) => setTimeout(resolve, 5));
await latency('commit to publish, relay in the same process', published);
await rate('one statement with emitting(), relay running', () => inOneStatement(database));
const unpublished = async () => {
  const rows = await database.execute<{ n: number }>(
    'select count(*)::int as n from outbox where published_at is null',
  );
  return rows[0]?.n ?? 0;
};
const drained = async () => {
  while ((await unpublished()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
};
await drained();
const backlog = 20_000;
const before = count;
const start = performance.now();
await database.execute(
  `insert into outbox (message_id, subject, payload) select 'backlog' || i, 'jobs.bench.run', '{}'
   from generate_series(1, $1) as i`,
  [backlog],
);
await drained();
const perSecond = Math.round(backlog / ((performance.now() - start) / 1_000));
write(
  `${'a backlog of 20,000 written, published and marked'.padEnd(58)} ${String(perSecond).padStart(7)} /s`,
);
await relay.stop();
if (count - before !== backlog) throw new Error(`published ${count - before} of ${backlog}`);
await bare.end();
await database.close();
write(`resident memory ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
