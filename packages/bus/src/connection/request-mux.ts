import { randomBytes } from 'node:crypto';
import { ErrorCode, type Msg, type MsgHdrs, type NatsConnection } from 'nats';
import type { FailureReason } from '../wire/failures.ts';
import { createPendingRequests, type PendingRequest } from './pending-requests.ts';
import type { StatusFeed } from './status.ts';
import { subscribe } from './subscribe.ts';

/** Lane of requests to one service, or to several that may know each other's requests. */
export interface RequestLane {
  /** Returns the request's reply subject, or undefined if it failed immediately. */
  send(request: PendingRequest, data: Uint8Array, headers?: MsgHdrs): string | undefined;
  /** Drops a request whose answer nobody wants; returns false if it was settled already. */
  forget(replySubject: string): boolean;
  /**
   * Releases a reply subject for reuse, after an answer that named its request: a further answer to it could be
   * distinguished from one to the next. A subject whose request was abandoned, timed out or was answered without a name
   * is never reused.
   */
  release(replySubject: string): void;
}

export interface RequestMux extends RequestLane {
  /** Creates a lane. Services that answer on one lane cannot guess the reply subjects of another. */
  lane(): RequestLane;
  pendingCount(): number;
}

export interface RequestMuxDeps {
  readonly nc: NatsConnection;
  readonly inboxPrefix: string;
  readonly status: StatusFeed;
  readonly fault: (error: unknown, where: string) => void;
}

/** Limit on released subjects: nats-server remembers the listeners of about twice as many. */
const maxReleased = 256;

/**
 * Creates request/reply for many callers: one inbox, one wildcard subscription, one map, one timer. Each lane has an
 * unguessable token below the inbox and numbers its requests. A service that cannot see a lane's requests cannot answer
 * them, although every service that answers may publish to the inbox.
 */
export function createRequestMux(deps: RequestMuxDeps): RequestMux {
  const { nc, status } = deps;
  const inbox = `${deps.inboxPrefix}.${createToken()}.`;
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
    // nats-server sends a bare 503 status if nobody listens.
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
    const prefix = `${inbox}${createToken()}.`;
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
          return fail(request, toFailureReason(error), error);
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

/** Creates a token of 96 bits: short, because every message contains two of them. */
function createToken(): string {
  return randomBytes(12).toString('base64url');
}

function fail(request: PendingRequest, reason: FailureReason, cause?: unknown): undefined {
  request.onFailure(reason, cause instanceof Error ? cause : undefined);
}

function toFailureReason(error: unknown): FailureReason {
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
