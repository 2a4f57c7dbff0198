import type { Stack } from '@rubrica/stack';
// biome-ignore lint/style/noRestrictedImports: an outsider's look at the bus must not depend on the bus
import { connect, type JetStreamManager } from 'nats';
import { Client } from 'pg';

type RunningStack = Pick<Stack, 'info'>;

/** Queries the stack's database as superuser. */
export async function queryStack<Row>(
  stack: RunningStack,
  sql: string,
  params: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: stack.info().databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, params)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Counts certificates by request, including revoked ones. */
export async function countCertificates(stack: RunningStack): Promise<Map<string, number>> {
  const rows = await queryStack<{ id: string; count: number }>(
    stack,
    'select request_id as id, count(*)::int as count from generation.certificate group by request_id',
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Queries JetStream over the connection of the user that may see all. */
export async function withJetStream<T>(
  stack: RunningStack,
  ask: (manager: JetStreamManager) => Promise<T>,
): Promise<T> {
  const url = new URL(stack.info().natsUrl);
  const connection = await connect({
    servers: url.host,
    user: decodeURIComponent(url.username),
    pass: decodeURIComponent(url.password),
  });
  try {
    return await ask(await connection.jetstreamManager());
  } finally {
    await connection.close();
  }
}

/** Remaining work of a consumer: undelivered messages, and delivered ones without an acknowledgement. */
export interface Backlog {
  readonly stream: string;
  readonly messages: number;
  readonly pending: number;
  readonly unacknowledged: number;
}

/**
 * Lists the backlogs of every job stream. A stream may contain a message that its consumer has processed: see `pending`
 * for work.
 */
export function jobBacklogs(stack: RunningStack): Promise<Backlog[]> {
  return withJetStream(stack, async (manager) => {
    const backlogs: Backlog[] = [];
    for await (const { config, state } of manager.streams.list()) {
      if (!config.name.startsWith('JOBS_')) continue;
      for await (const consumer of manager.consumers.list(config.name)) {
        backlogs.push({
          stream: config.name,
          messages: state.messages,
          pending: consumer.num_pending,
          unacknowledged: consumer.num_ack_pending,
        });
      }
    }
    return backlogs;
  });
}

export async function deadLetters(stack: RunningStack): Promise<number> {
  return withJetStream(stack, async (manager) => (await manager.streams.info('DLQ')).state.messages);
}
