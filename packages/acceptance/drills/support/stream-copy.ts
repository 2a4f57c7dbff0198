// biome-ignore lint/style/noRestrictedImports: what an operator's tool does, without the bus
import { connect, createInbox, type NatsConnection } from 'nats';

/** Copy of a stream, as nats-server returns and accepts it: `nats stream backup` writes the same into a folder. */
export interface StreamCopy {
  readonly stream: string;
  /** The server's own description, which a restore returns unread. */
  readonly description: Readonly<Record<string, unknown>>;
  readonly chunks: readonly Uint8Array[];
}

const timeout = 60_000;

/**
 * Runs the work with a connection.
 * @param url with the credentials of a user in the account that owns JetStream
 */
export async function withNats<T>(url: string, work: (bus: NatsConnection) => Promise<T>): Promise<T> {
  const { host, username, password } = new URL(url);
  const bus = await connect({
    servers: host,
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
  });
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}

/** Copies a stream during writes: its content at the time of the request. */
export async function copyStream(bus: NatsConnection, stream: string): Promise<StreamCopy> {
  const inbox = createInbox();
  const arriving = bus.subscribe(inbox);
  const description = await request(bus, `$JS.API.STREAM.SNAPSHOT.${stream}`, {
    deliver_subject: inbox,
    no_consumers: true,
    chunk_size: 128 * 1024,
  });
  const chunks: Uint8Array[] = [];
  for await (const message of arriving) {
    if (message.data.length === 0) break;
    chunks.push(message.data.slice());
    message.respond();
  }
  arriving.unsubscribe();
  return { stream, description: { config: description.config, state: description.state }, chunks };
}

/** Restores the stream from its copy. No stream of that name may exist. */
export async function restoreStream(
  bus: NatsConnection,
  { stream, description, chunks }: StreamCopy,
): Promise<number> {
  const { deliver_subject: target } = await request(bus, `$JS.API.STREAM.RESTORE.${stream}`, description);
  for (const chunk of chunks) await bus.request(String(target), chunk, { timeout });
  const end = readAnswer((await bus.request(String(target), '', { timeout })).json());
  return (end.state as { messages: number }).messages;
}

async function request(bus: NatsConnection, subject: string, body: object): Promise<Record<string, unknown>> {
  return readAnswer((await bus.request(subject, JSON.stringify(body), { timeout })).json());
}

function readAnswer(answer: unknown): Record<string, unknown> {
  const { error, ...rest } = answer as { error?: { description: string } };
  if (error !== undefined) throw new Error(`nats-server: ${error.description}`);
  return rest;
}
