import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig } from './settings.ts';

/** Dedicated connection of a relay or chainer: its lock and subscription live exactly as long as it does. */
export interface OwnSession {
  /**
   * Runs a statement. Rejects, and ends the session, if the connection is lost or PostgreSQL does not answer in time.
   */
  query<Row>(statement: SessionStatement, params?: readonly unknown[]): Promise<Row[]>;
  /** True from the moment the connection is known to be lost: nothing may be published any more. */
  isLost(): boolean;
  /** Ends the session; PostgreSQL frees the lock immediately. */
  end(): Promise<void>;
}

/** Statement of a session. With a name it is prepared once per session: planning would cost more than running it. */
export interface SessionStatement {
  readonly name?: string;
  readonly text: string;
}

export interface OwnSessionOptions {
  readonly url: string;
  readonly schema: string;
  readonly applicationName: string;
  readonly onLost: () => void;
  readonly onNotification: () => void;
  /** Commits wait for the disk. */
  readonly isDurable?: boolean;
}

const answerWithinMs = 10_000;

/**
 * Opens a connection. PostgreSQL ends the session after 30 s of silence: a frozen process or machine must not keep the
 * lock, and an active relay sends twice a second.
 */
export async function openOwnSession(options: OwnSessionOptions): Promise<OwnSession> {
  const { url, schema, applicationName } = options;
  const client = new pg.Client({
    ...connectionConfig({
      url,
      schema,
      applicationName,
      statementTimeoutMs: answerWithinMs,
      serverSettings: {
        idle_session_timeout: '30s',
        // A mark lost in a crash of PostgreSQL means that the message is published once more under the same id.
        synchronous_commit: options.isDurable ? 'on' : 'off',
        // The plan is made once, perhaps while the table is empty. It must still use the index of unpublished rows, in
        // order, with a backlog of a million rows.
        plan_cache_mode: 'force_generic_plan',
        enable_seqscan: 'off',
        enable_bitmapscan: 'off',
      },
    }),
    query_timeout: answerWithinMs,
  });
  let lost = false;
  const markLost = () => {
    if (lost) return;
    lost = true;
    options.onLost();
  };
  // Without a listener a lost connection would end the process.
  client.on('error', markLost);
  client.on('end', markLost);
  client.on('notification', options.onNotification);
  await client.connect();
  const end = async () => {
    markLost();
    // A socket whose other side has vanished never answers; keep-alive closes it.
    await Promise.race([client.end(), delay(2_000, undefined, { ref: false })]);
  };
  return {
    async query<Row>(statement: SessionStatement, params: readonly unknown[] = []) {
      try {
        return (await client.query({ ...statement, values: [...params] })).rows as Row[];
      } catch (error) {
        // After a fault the state of the session is unknown: the caller starts again with a new one.
        await end();
        throw error;
      }
    },
    isLost: () => lost,
    end,
  };
}
