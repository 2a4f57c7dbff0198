import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig } from './settings.ts';

/** Connection of a relay or chainer alone: what it holds (a lock, a subscription) lives exactly as long as it does. */
export interface OwnSession {
  /** Rejects, and ends the session, when the connection is gone or PostgreSQL does not answer in time. */
  query<Row>(statement: SessionStatement, params?: readonly unknown[]): Promise<Row[]>;
  /** True from the moment the connection is known to be gone: nothing may be published any more. */
  isLost(): boolean;
  /** Ends the session; PostgreSQL frees the lock at once. */
  end(): Promise<void>;
}

/** Prepared once per session when it has a name: planning would cost more than running it. */
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
 * Connects. PostgreSQL ends the session after 30 s of silence: a frozen process or machine must not keep the
 * lock, and a live relay speaks twice a second.
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
        // A mark lost in a crash of PostgreSQL means the same message once more under the same id.
        synchronous_commit: options.isDurable ? 'on' : 'off',
        // The plan is made once, perhaps while the table is empty: it must still walk the index of unpublished
        // rows, in order, when a backlog of a million is there.
        plan_cache_mode: 'force_generic_plan',
        enable_seqscan: 'off',
        enable_bitmapscan: 'off',
      },
    }),
    query_timeout: answerWithinMs,
  });
  let lost = false;
  const lose = () => {
    if (lost) return;
    lost = true;
    options.onLost();
  };
  // Without a listener a lost connection would end the process.
  client.on('error', lose);
  client.on('end', lose);
  client.on('notification', options.onNotification);
  await client.connect();
  const end = async () => {
    lose();
    // A socket whose other side vanished answers no farewell; keep-alive closes it.
    await Promise.race([client.end(), delay(2_000, undefined, { ref: false })]);
  };
  return {
    async query<Row>(statement: SessionStatement, params: readonly unknown[] = []) {
      try {
        return (await client.query({ ...statement, values: [...params] })).rows as Row[];
      } catch (error) {
        // After a fault nothing is certain about what the session still holds: begin again with a new one.
        await end();
        throw error;
      }
    },
    isLost: () => lost,
    end,
  };
}
