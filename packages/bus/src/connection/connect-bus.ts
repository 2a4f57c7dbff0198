import { connect, type NatsConnection, type TlsOptions } from 'nats';
import { createRequestMux, type RequestMux } from '../call/request-mux.ts';
import type { BusSeals } from '../wire/seals.ts';
import { assertSubjectFilter, inboxPrefixOf } from '../wire/subjects.ts';
import { refusalOf } from './server-version.ts';
import { type BusStatus, createStatusFeed } from './status.ts';

export interface BusOptions {
  /** `nats://host:port`, one or several of a cluster. */
  readonly servers: string | readonly string[];
  /** Becomes part of the inbox, `_INBOX_<name>`, so that an allow-list can name it: letters, digits, "-". */
  readonly name: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly tls?: TlsOptions | undefined;
  /** Seals calls and answers between services; without it they go in clear. */
  readonly seals?: BusSeals | undefined;
  /** Where this connection's account finds the API of JetStream; `$JS.API`, where JetStream is its own. */
  readonly apiPrefix?: string | undefined;
  /** For one attempt to reach a server; 5,000. The first connection is waited for without end. */
  readonly connectTimeoutMs?: number;
  /** Instead of waiting: each server is tried once, and what it says is why the promise rejects. */
  readonly triesOnce?: boolean;
  /** Between two attempts; 250, to which up to 100 are added by chance. */
  readonly reconnectWaitMs?: number;
  /** A connection is given up when two pings in a row stay unanswered; 10,000. */
  readonly pingIntervalMs?: number;
  /** Faults with no caller to tell, such as a failing callback. A process warning by default. */
  readonly onFault?: (error: Error, where: string) => void;
}

export interface Bus {
  readonly name: string;
  readonly inboxPrefix: string;
  /** What requests to the API of JetStream begin with. */
  readonly apiPrefix: string;
  /** Seals of calls and answers, for routers and clients on this bus. */
  readonly seals: BusSeals | undefined;
  /** The client's connection, for what this package does not cover. */
  readonly nc: NatsConnection;
  /** Request/reply with one inbox subscription and one timer for all; the link and the publisher share it. */
  readonly requests: RequestMux;
  isConnected(): boolean;
  /** Listeners are called in order and must not throw. Returns the way to stop listening. */
  onStatus(listener: (status: BusStatus) => void): () => void;
  /** Resolves when the connection is over for good; with the reason unless it was closed on purpose. */
  readonly closed: Promise<Error | undefined>;
  /** Bytes one message may hold, headers included, as nats-server announced it. */
  maxPayloadBytes(): number;
  fault(error: unknown, where: string): void;
  /** Sends what is buffered and closes. Stop servers and consumers first: it does not wait for handlers. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

const defaultMaxPayloadBytes = 1_048_576;

/**
 * Connects and stays connected: waits for the first server, then reconnects without limit. Only refused credentials,
 * twice in a row, a server that is too old for where it is, or `close` end it. While disconnected, calls and publishes fail at once instead of queueing.
 */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const inboxPrefix = inboxPrefixOf(options.name);
  const nc = await connect({
    servers: typeof options.servers === 'string' ? options.servers : [...options.servers],
    name: options.name,
    user: options.user,
    pass: options.password,
    tls: options.tls,
    inboxPrefix,
    timeout: options.connectTimeoutMs ?? 5_000,
    maxReconnectAttempts: -1,
    waitOnFirstConnect: options.triesOnce !== true,
    reconnectTimeWait: options.reconnectWaitMs ?? 250,
    pingInterval: options.pingIntervalMs ?? 10_000,
    maxPingOut: 2,
    // A stack per request costs more than the rest of the request.
    noAsyncTraces: true,
  });
  const tooOld = () => refusalOf({ version: nc.info?.version ?? '', address: nc.getServer() });
  let refusal = tooOld();
  if (refusal !== undefined) {
    await nc.close();
    throw refusal;
  }
  const status = createStatusFeed(nc);
  // Another server of the cluster, or the same one with another program.
  status.listen(({ type }) => {
    if (type !== 'connected') return;
    refusal = tooOld();
    if (refusal !== undefined) void nc.close();
  });
  const fault = faultReporter(options);
  return {
    name: options.name,
    inboxPrefix,
    apiPrefix: assertSubjectFilter(options.apiPrefix ?? '$JS.API'),
    seals: options.seals,
    nc,
    requests: createRequestMux({ nc, inboxPrefix, status, fault }),
    isConnected: status.isConnected,
    onStatus: status.listen,
    closed: nc.closed().then((error) => refusal ?? error ?? undefined),
    maxPayloadBytes: () => nc.info?.max_payload ?? defaultMaxPayloadBytes,
    fault,
    async drain() {
      // A drain started while disconnected would wait for a server that may never come back.
      if (nc.isClosed()) return;
      await (status.isConnected() ? nc.drain() : nc.close());
    },
    close: () => nc.close(),
  };
}

function faultReporter(options: BusOptions): Bus['fault'] {
  const report =
    options.onFault ??
    ((error: Error, where: string) => process.emitWarning(`${where}: ${error.message}`, 'BusFault'));
  return (error, where) => report(error instanceof Error ? error : new Error(String(error)), where);
}
