import { randomBytes } from 'node:crypto';
import { ErrorCode, type Msg, type MsgHdrs, type NatsConnection } from 'nats';
import type { StatusFeed } from '../connection/status.ts';
import { subscribe } from '../connection/subscribe.ts';
import type { FailureReason } from './failures.ts';

export interface PendingRequest {
  readonly subject: string;
  /** On the clock of `performance.now()`. */
  readonly expiresAt: number;
  /** Exactly one of the two is called, once, unless the request is forgotten first. */
  onReply(message: Msg): void;
  onFailure(reason: FailureReason, cause?: Error): void;
}

export interface RequestMux {
  /** Returns the request's reply subject, or nothing when it failed at once. */
  send(request: PendingRequest, data: Uint8Array, headers?: MsgHdrs): string | undefined;
  /** Drops a request whose answer nobody wants; false when it was settled already. */
  forget(replySubject: string): boolean;
  pendingCount(): number;
}

export interface RequestMuxDeps {
  readonly nc: NatsConnection;
  readonly inboxPrefix: string;
  readonly status: StatusFeed;
  readonly fault: (error: unknown, where: string) => void;
}

/** One timer looks after every request: a timer each costs more than the call. Time-outs are late by at most this. */
const tickMs = 20;

/**
 * Request/reply for many callers: one inbox, one wildcard subscription, one map, one timer. The inbox is
 * unguessable, so nobody who cannot see a request can answer it; requests are numbered below it.
 */
export function createRequestMux(deps: RequestMuxDeps): RequestMux {
  const { nc, status } = deps;
  const inbox = `${deps.inboxPrefix}.${randomBytes(16).toString('base64url')}.`;
  const pending = new Map<string, PendingRequest>();
  let sequence = 0;
  let listening = false;

  const failWhere = (matches: (request: PendingRequest) => boolean, reason: FailureReason) => {
    for (const [token, request] of pending) {
      if (!matches(request) || !pending.delete(token)) continue;
      try {
        request.onFailure(reason);
      } catch (error) {
        deps.fault(error, `request to ${request.subject}`);
      }
    }
  };
  const timer = createSweep(pending, (now) => failWhere(({ expiresAt }) => expiresAt <= now, 'timeout'));
  const onMessage = (message: Msg) => {
    const token = message.subject.slice(inbox.length);
    const request = pending.get(token);
    if (request === undefined) return;
    pending.delete(token);
    // A bare 503 status is nats-server's way to say that nobody listens.
    if (message.data.length === 0 && message.headers?.code === 503) request.onFailure('no-responders');
    else request.onReply(message);
  };
  const listen = () => {
    if (listening) return;
    subscribe(deps, `${inbox}*`, {
      onMessage,
      onRefused: () => {
        listening = false;
        failWhere(() => true, 'refused');
      },
    });
    listening = true;
  };
  status.listen((event) => {
    if (event.type === 'disconnected' || event.type === 'closed') failWhere(() => true, 'connection-lost');
    else if (event.type === 'refused') failWhere(({ subject }) => subject === event.subject, 'refused');
  });

  return {
    send(request, data, headers) {
      if (!status.isConnected()) return fail(request, nc.isClosed() ? 'closed' : 'disconnected');
      sequence += 1;
      const token = sequence.toString(36);
      const reply = inbox + token;
      try {
        listen();
        nc.publish(request.subject, data, headers === undefined ? { reply } : { reply, headers });
      } catch (error) {
        return fail(request, reasonOf(error), error);
      }
      pending.set(token, request);
      timer.start();
      return reply;
    },
    forget: (reply) => pending.delete(reply.slice(inbox.length)),
    pendingCount: () => pending.size,
  };
}

function fail(request: PendingRequest, reason: FailureReason, cause?: unknown): undefined {
  request.onFailure(reason, cause instanceof Error ? cause : undefined);
}

function reasonOf(error: unknown): FailureReason {
  switch ((error as { code?: unknown }).code) {
    case ErrorCode.MaxPayloadExceeded:
      return 'payload-too-large';
    case ErrorCode.ConnectionClosed:
    case ErrorCode.ConnectionDraining:
      return 'closed';
    default:
      return 'invalid';
  }
}

/** Runs only while something is pending, and one round longer, so that single calls do not restart it each time. */
function createSweep(
  pending: ReadonlyMap<string, unknown>,
  expire: (now: number) => void,
): { start(): void } {
  let running = false;
  const sweep = () => {
    if (pending.size === 0) {
      running = false;
      return;
    }
    expire(performance.now());
    setTimeout(sweep, tickMs);
  };
  return {
    start() {
      if (running) return;
      running = true;
      setTimeout(sweep, tickMs);
    },
  };
}
