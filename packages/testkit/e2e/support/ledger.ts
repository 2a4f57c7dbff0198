import type { Stack } from '@rubrica/stack';
// biome-ignore lint/style/noRestrictedImports: an outsider's look at the bus must not depend on the bus
import { connect, type JetStreamManager } from 'nats';
import { Client } from 'pg';

/** Looks into the stack's database as superuser. */
export async function queryStack<Row>(stack: Stack, sql: string, params: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: stack.info().databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, params)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Certificates by request, revoked ones included. */
export async function certificatesOf(stack: Stack): Promise<Map<string, number>> {
  const rows = await queryStack<{ id: string; count: number }>(
    stack,
    'select request_id as id, count(*)::int as count from generation.certificate group by request_id',
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Asks JetStream something over the connection of the user that may see everything. */
export async function withJetStream<T>(
  stack: Stack,
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

/** Messages that each stream holds, by name; object-store buckets included. */
export function streamSizes(stack: Stack): Promise<Map<string, number>> {
  return withJetStream(stack, async (manager) => {
    const sizes = new Map<string, number>();
    for await (const { config, state } of manager.streams.list()) sizes.set(config.name, state.messages);
    return sizes;
  });
}
