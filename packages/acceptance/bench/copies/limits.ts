import { join } from 'node:path';
import type { StackInfo } from '@rubrica/stack';
import { locateNatsServer, startNats } from '@rubrica/testkit/nats';
import { connect, StorageType } from 'nats';
import { Client } from 'pg';
import type { Row } from '../table.ts';

const durationMs = 4_000;
const rowBytes = 1_000;
const connections = 32;

/** What PostgreSQL and NATS do at most here: the numbers that bound all copies together. */
export async function measureLimits({ databaseUrl }: StackInfo, folder: string): Promise<Row[]> {
  const commits = await commitsPerSecond(databaseUrl);
  const messages = await messagesPerSecond(folder);
  return [
    {
      what: 'commits of PostgreSQL',
      value: `${commits.toFixed(0)}/s`,
      note: `${connections} connections, a row of ${rowBytes} bytes each, on disk at each commit`,
    },
    {
      what: 'messages of JetStream',
      value: `${messages.toFixed(0)}/s`,
      note: `one server, ${connections} in flight, ${rowBytes} bytes, each acknowledged, in a file`,
    },
  ];
}

async function commitsPerSecond(databaseUrl: string): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  const [first] = clients as [Client];
  await first.query('create table bench_commits (id bigserial primary key, value text)');
  const insert = {
    name: 'bench-insert',
    text: 'insert into bench_commits (value) values ($1)',
    values: ['x'.repeat(rowBytes)],
  };
  const perSecond = await repeated((worker) => clients[worker]?.query(insert));
  await first.query('drop table bench_commits');
  await Promise.all(clients.map((client) => client.end()));
  return perSecond;
}

/** How often it is done in a second, by as many workers as there are connections. */
async function repeated(work: (worker: number) => Promise<unknown> | undefined): Promise<number> {
  let done = 0;
  const startedAt = performance.now();
  const deadline = startedAt + durationMs;
  const worker = async (index: number) => {
    for (; performance.now() < deadline; done += 1) await work(index);
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => worker(index)));
  return done / ((performance.now() - startedAt) / 1_000);
}

async function messagesPerSecond(folder: string): Promise<number> {
  const server = await startNats({
    directory: join(folder, 'limits'),
    binary: await locateNatsServer({ binDirectory: join(import.meta.dirname, '../../../../.rubrica/bin') }),
    logFile: join(folder, 'limits.log'),
  });
  const connection = await connect({ servers: server.url });
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name: 'LIMITS', subjects: ['limits'], storage: StorageType.File });
  const stream = connection.jetstream();
  const message = Buffer.alloc(rowBytes);
  const perSecond = await repeated(() => stream.publish('limits', message));
  await connection.close();
  await server.stop();
  return perSecond;
}
