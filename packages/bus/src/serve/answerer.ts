import { type AnyTRPCRouter, getTRPCErrorFromUnknown, TRPCError } from '@trpc/server';
import { ErrorCode } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { answerHeaders } from '../wire/attachments.ts';
import type { BusVerdict } from '../wire/failures.ts';
import { packContent } from '../wire/sealed-content.ts';
import type { OpenedCall } from '../wire/seals.ts';
import { errorBody, isUnexpected, plainError, resultBody, verdictBody } from './answer.ts';
import type { Call } from './decode-call.ts';
import type { ServeError } from './serve-options.ts';
import { countError, type Statistics } from './statistics.ts';

/** Facts about a call that its answer needs. */
export interface Answerable {
  readonly reply: string;
  readonly path: string;
  call?: Call;
  ctx?: unknown;
  /** Deadline on the clock of `performance.now()`. */
  readonly expiresAt?: number | undefined;
  /** Undefined for an unsealed call, and before it was opened. */
  sealAnswer?: Extract<OpenedCall, { kind: 'opened' }>['sealAnswer'] | undefined;
  /** Collects the answer of a call in a bundle, until all are complete. */
  readonly keep?: (body: Uint8Array) => void;
}

export interface Answerer {
  /** Answers a result. Throws if it has no JSON. */
  result(to: Answerable, data: unknown): void;
  error(to: Answerable, cause: unknown): void;
  /** Refuses a call without running the procedure. */
  turnAway(to: Answerable, verdict: BusVerdict): void;
  /** Answers the calls of one message with the collected answers, in their order. */
  together(to: Answerable, bodies: readonly Uint8Array[]): void;
}

export interface AnswererDeps {
  readonly bus: Bus;
  readonly router: AnyTRPCRouter;
  readonly statistics: Statistics;
  readonly onError: (failure: ServeError) => void;
}

/** Creates the answerer, which puts answers on the bus, counts errors and reports them. */
export function createAnswerer({ bus, router, statistics, onError }: AnswererDeps): Answerer {
  const publish = (to: Answerable, body: Uint8Array, attachments?: string) => {
    const { reply, path, keep, sealAnswer } = to;
    if (keep !== undefined) {
      keep(
        attachments === undefined ? body : plainError({ id: to.call?.id, error: bytesNotAllowed(), path }),
      );
      return;
    }
    try {
      const headers = attachments === undefined ? undefined : answerHeaders(attachments);
      if (sealAnswer !== undefined) {
        const block = headers?.encode() ?? nothing;
        bus.nc.publish(reply, sealAnswer(packContent({ block, body })));
      } else if (headers === undefined) bus.nc.publish(reply, body);
      else bus.nc.publish(reply, body, { headers });
    } catch (error) {
      if ((error as { code?: unknown }).code === ErrorCode.MaxPayloadExceeded) {
        countError(statistics.of(path), tooLarge(), false);
        publish(to, plainError({ id: to.call?.id, error: tooLarge(), path }));
      } else bus.fault(error, `answer of ${path}`);
    }
  };
  return {
    result(to, data) {
      const { body, attachments } = resultBody(router, data, to.call?.id);
      publish(to, body, attachments);
    },
    error(to, cause) {
      const { path, call, ctx } = to;
      const error = getTRPCErrorFromUnknown(cause);
      const unexpected = isUnexpected(error);
      countError(statistics.of(path), error, unexpected);
      onError({ error, path, headers: call?.headers, kind: 'call', unexpected });
      const type = call?.type ?? 'unknown';
      // Past the deadline the caller sees a time-out, whatever ended the work.
      const body = isLate(to)
        ? verdictBody('timeout', call?.id)
        : errorBody(router, { id: call?.id, error, path, type, input: call?.input, ctx });
      publish(to, body);
    },
    turnAway: (to, verdict) => publish(to, verdictBody(verdict, to.call?.id)),
    // If they are too large together, one refusal for all states it: each is then requested alone.
    together: (to, bodies) => publish(to, joinJson(bodies)),
  };
}

export function isLate({ expiresAt }: Pick<Answerable, 'expiresAt'>): boolean {
  return expiresAt !== undefined && performance.now() >= expiresAt;
}

/** Joins JSON texts to a JSON array. */
function joinJson(bodies: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    bodies.flatMap((body, index) => [index === 0 ? opening : comma, body]).concat(closing),
  );
}

const nothing = new Uint8Array(0);

const [opening, comma, closing] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

function bytesNotAllowed(): TRPCError {
  return new TRPCError({
    code: 'METHOD_NOT_SUPPORTED',
    message: 'Answers that travel together hold no bytes',
  });
}

function tooLarge(): TRPCError {
  return new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: 'The answer is larger than the bus carries' });
}
