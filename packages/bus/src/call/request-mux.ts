import { randomBytes } from 'node:crypto';
import { ErrorCode, type Msg, type MsgHdrs, type NatsConnection } from 'nats';
import type { StatusFeed } from '../connection/status.ts';
import { subscribe } from '../connection/subscribe.ts';
import type { FailureReason } from './failures.ts';
import { createPendingRequests, type PendingRequest } from './pending-requests.ts';

/** Requests to one service, or to several that may know of each other's. */
export interface RequestLane {
  /** Returns the request's reply subject, or nothing when it failed at once. */
  send(request: PendingRequest, data: Uint8Array, headers?: MsgHdrs): string | undefined;
  /** Drops a request whose answer nobody wants; false when it was settled already. */
  forget(replySubject: string): boolean;
  /**
   * The answer named its request, so that one more to it could be told from one to the next: the subject may be used
   * again. A subject whose request was given up, timed out or was answered without a name never is.
   */
  release(replySubject: string): void;
}

export interface RequestMux extends RequestLane {
  /** Whoever answers on one lane cannot guess the reply subjects of another. */
  lane(): RequestLane;
  pendingCount(): number;
}

export interface RequestMuxDeps {
  readonly nc: NatsConnection;
  readonly inboxPrefix: string;
  readonly status: StatusFeed;
  readonly fault: (error: unknown, where: string) => void;
}

/** nats-server remembers who listens to about twice as many subjects. */
const maxReleased = 256;

/**
 * Request/reply for many callers: one inbox, one wildcard subscription, one map, one timer. Each lane has an
 * unguessable token below the inbox and numbers its requests: nobody who cannot see a lane's requests can
 * answer them, although every service that answers may publish to the inbox.
 */
export function createRequestMux(deps: RequestMuxDeps): RequestMux {
  const { nc, status } = deps;
  const inbox = `${deps.inboxPrefix}.${unguessable()}.`;
  const pending = createPendingRequests(deps.fault);
  let sequence = 0;
  let listening = false;
  const nextNumber = () => {
    sequence += 1;
    return sequence.toString(36);
  };

  const onMessage = (message: Msg) => {
    const request = pending.take(message.subject);
    if (request === undefined) return;
    // A bare 503 status is nats-server's way to say that nobody listens.
    if (message.data.length === 0 && message.headers?.code === 503) request.onFailure('no-responders');
    else if (!request.onReply(message)) pending.add(message.subject, request);
  };
  const onRefused = () => {
    listening = false;
    pending.failWhere(() => true, 'refused');
  };
  status.listen((event) => {
    if (event.type === 'refused') pending.failWhere(({ subject }) => subject === event.subject, 'refused');
    else if (event.type !== 'connected' && event.type !== 'error') {
      pending.failWhere(() => true, 'connection-lost');
    }
  });

  const lane = (): RequestLane => {
    const prefix = `${inbox}${unguessable()}.`;
    const released: string[] = [];
    return {
      send(request, data, headers) {
        if (!status.isConnected()) return fail(request, nc.isClosed() ? 'closed' : 'disconnected');
        const reply = released.pop() ?? prefix + nextNumber();
        try {
          if (!listening) subscribe(deps, `${inbox}*.*`, { onMessage, onRefused });
          listening = true;
          nc.publish(request.subject, data, headers === undefined ? { reply } : { reply, headers });
        } catch (error) {
          return fail(request, reasonOf(error), error);
        }
        pending.add(reply, request);
        return reply;
      },
      forget: (reply) => pending.take(reply) !== undefined,
      release(reply) {
        if (released.length < maxReleased) released.push(reply);
      },
    };
  };
  return { ...lane(), lane, pendingCount: pending.size };
}

/** 96 bits: short, because every message carries two of them. */
function unguessable(): string {
  return randomBytes(12).toString('base64url');
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
