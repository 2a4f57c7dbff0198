import { connect, type NatsConnection, type TlsOptions } from 'nats';
import type { BusSeals } from '../wire/seals.ts';
import { assertSubjectFilter, toInboxPrefix } from '../wire/subjects.ts';
import { createRequestMux, type RequestMux } from './request-mux.ts';
import { checkServerVersion } from './server-version.ts';
import { type BusStatus, createStatusFeed } from './status.ts';

export interface BusOptions {
  /** `nats://host:port`, one or several of a cluster. */
  readonly servers: string | readonly string[];
  /** Becomes part of the inbox, `_INBOX_<name>`, so that an allow-list can name it: letters, digits, "-". */
  readonly name: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly tls?: TlsOptions | undefined;
  /** Seals calls and answers between services; without it they are sent unsealed. */
  readonly seals?: BusSeals | undefined;
  /** Prefix at which this connection's account finds the API of JetStream; `$JS.API` if the account owns JetStream. */
  readonly apiPrefix?: string | undefined;
  /** Time limit for one attempt to reach a server; default 5,000. The first connection is awaited without limit. */
  readonly connectTimeoutMs?: number;
  /** Tries each server once instead of waiting; the server's error is the reason of the rejection. */
  readonly triesOnce?: boolean;
  /** Pause between two attempts; default 250, plus a random value up to 100. */
  readonly reconnectWaitMs?: number;
  /** Interval of pings; a connection is abandoned after two unanswered ones in a row; default 10,000. */
  readonly pingIntervalMs?: number;
  /** Receives faults without a caller to inform, for example a failing callback. Default: a process warning. */
  readonly onFault?: (error: Error, where: string) => void;
}

/** Disposing of it drains it. */
export interface Bus extends AsyncDisposable {
  readonly name: string;
  readonly inboxPrefix: string;
  /** Beginning of the subjects of requests to the API of JetStream. */
  readonly apiPrefix: string;
  /** Seals of calls and answers, for routers and clients on this bus. */
  readonly seals: BusSeals | undefined;
  /** Connection of the client library, for everything that this package does not cover. */
  readonly nc: NatsConnection;
  /** Request/reply with one inbox subscription and one timer for all; the link and the publisher share it. */
  readonly requests: RequestMux;
  isConnected(): boolean;
  /**
   * Adds a listener; listeners are called in order and must not throw.
   * @returns a function that removes the listener
   */
  onStatus(listener: (status: BusStatus) => void): () => void;
  /** Resolves when the connection has ended permanently; with the reason unless it was closed on purpose. */
  readonly closed: Promise<Error | undefined>;
  /** Returns the maximum bytes of one message, headers included, as announced by nats-server. */
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
  const inboxPrefix = toInboxPrefix(options.name);
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
  const checkVersion = () => checkServerVersion({ version: nc.info?.version ?? '', address: nc.getServer() });
  let refusal = checkVersion();
  if (refusal !== undefined) {
    await nc.close();
    throw refusal;
  }
  const status = createStatusFeed(nc);
  // Another server of the cluster, or the same one with another program.
  status.listen(({ type }) => {
    if (type !== 'connected') return;
    refusal = checkVersion();
    if (refusal !== undefined) void nc.close();
  });
  const fault = faultReporter(options);
  const drain = async () => {
    // A drain started while disconnected would wait for a server that may never come back.
    if (nc.isClosed()) return;
    await (status.isConnected() ? nc.drain() : nc.close());
  };
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
    drain,
    close: () => nc.close(),
    [Symbol.asyncDispose]: drain,
  };
}

function faultReporter(options: BusOptions): Bus['fault'] {
  const report =
    options.onFault ??
    ((error: Error, where: string) => process.emitWarning(`${where}: ${error.message}`, 'BusFault'));
  return (error, where) => report(error instanceof Error ? error : new Error(String(error)), where);
}
