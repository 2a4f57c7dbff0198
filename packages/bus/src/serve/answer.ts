import {
  type AnyTRPCRouter,
  getTRPCErrorShape,
  type TRPCError,
  type TRPCErrorShape,
  transformTRPCResponse,
} from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';

export interface FailedCall {
  readonly error: TRPCError;
  readonly path: string;
  readonly type: 'query' | 'mutation' | 'unknown';
  readonly input: unknown;
  readonly ctx: unknown;
}

const maskedMessage = 'Internal server error';

/**
 * tRPC's envelope around a result, as JSON. Throws when the result has no JSON. `transformTRPCResponse` would
 * make the same envelope out of two copies, for a tenth of the time a small call takes.
 */
export function resultBody(router: AnyTRPCRouter, data: unknown): Uint8Array {
  return toBytes({ result: { data: router._def._config.transformer.output.serialize(data) } });
}

/** tRPC's envelope around an error, shaped by the router's formatter; never fails. */
export function errorBody(router: AnyTRPCRouter, call: FailedCall): Uint8Array {
  try {
    const config = router._def._config;
    const shape = mask(getTRPCErrorShape({ config, ...call }), call.error);
    return toBytes(transformTRPCResponse(config, { error: shape }));
  } catch {
    // The formatter or the transformer failed: the caller still gets an answer.
    return plainError(call.error, call.path);
  }
}

/**
 * For calls that are turned away before they start. It names the reason outside the error, where no formatter
 * or transformer reaches: the caller may repeat such a call without asking what it did.
 */
export function turnedAwayBody(reason: 'overloaded' | 'late'): Uint8Array {
  return reason === 'overloaded' ? overloaded : late;
}

const overloaded = toBytes({
  notStarted: 'overloaded',
  error: {
    code: TRPC_ERROR_CODES_BY_KEY.SERVICE_UNAVAILABLE,
    message: 'The service is at its limit of running calls',
    data: { code: 'SERVICE_UNAVAILABLE', httpStatus: 503 },
  },
});

const late = toBytes({
  notStarted: 'late',
  error: {
    code: TRPC_ERROR_CODES_BY_KEY.TIMEOUT,
    message: 'The deadline had passed before the call could start',
    data: { code: 'TIMEOUT', httpStatus: 408 },
  },
});

/** A message that tRPC took over from whatever was thrown may hold anything; stacks are nobody's business. */
function mask(shape: TRPCErrorShape, error: TRPCError): TRPCErrorShape {
  const unexpected = isUnexpected(error);
  const data = shape.data as { stack?: unknown } | undefined;
  if (!unexpected && data?.stack === undefined) return shape;
  const { stack: _stack, ...rest } = data ?? {};
  return { ...shape, message: unexpected ? maskedMessage : shape.message, data: rest };
}

/** Thrown by accident, or at least without words meant for the caller. */
export function isUnexpected(error: TRPCError): boolean {
  return (
    error.code === 'INTERNAL_SERVER_ERROR' &&
    error.cause !== undefined &&
    error.message === error.cause.message
  );
}

/** Without the router's formatter and transformer. */
export function plainError(error: TRPCError, path: string): Uint8Array {
  const message = isUnexpected(error) ? maskedMessage : error.message;
  return toBytes({
    error: { code: TRPC_ERROR_CODES_BY_KEY[error.code], message, data: { code: error.code, path } },
  });
}

function toBytes(body: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(body));
}
