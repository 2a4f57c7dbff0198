import type { Stack } from '@rubrica/stack';
// biome-ignore lint/style/noRestrictedImports: an outsider's look at the bus must not depend on the bus
import { connect } from 'nats';

export interface Wiretap extends AsyncDisposable {
  /** Subject, headers and data of every message so far, bytes as Latin-1. */
  text(): string;
  subjects(): ReadonlySet<string>;
}

/**
 * Listens to all subjects, which only the users with all rights can. One is in the account of the calls and their
 * answers, the other in that of jobs, events, objects and dead letters.
 */
export async function startWiretap(stack: Pick<Stack, 'info'>): Promise<Wiretap> {
  const url = new URL(stack.info().natsUrl);
  const user = decodeURIComponent(url.username);
  const connections = await Promise.all(
    [user, `${user}-calls`].map((name) =>
      connect({ servers: url.host, user: name, pass: decodeURIComponent(url.password) }),
    ),
  );
  const heard: string[] = [];
  const subjects = new Set<string>();
  for (const connection of connections) {
    connection.subscribe('>', {
      callback: (error, message) => {
        if (error) throw error;
        subjects.add(message.subject);
        const headers = message.headers?.keys().map((key) => `${key}: ${message.headers?.get(key)}`) ?? [];
        heard.push([message.subject, ...headers, Buffer.from(message.data).toString('latin1')].join('\n'));
      },
    });
    await connection.flush();
  }
  return {
    text: () => heard.join('\n'),
    subjects: () => subjects,
    async [Symbol.asyncDispose]() {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
