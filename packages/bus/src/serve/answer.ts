import {
  type AnyTRPCRouter,
  getTRPCErrorShape,
  type TRPCError,
  type TRPCErrorShape,
  transformTRPCResponse,
} from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { type PackedBody, packBody } from '../wire/attachments.ts';
import { type BusVerdict, failures } from '../wire/failures.ts';

export interface FailedCall {
  readonly id?: number | undefined;
  readonly error: TRPCError;
  readonly path: string;
  readonly type: 'query' | 'mutation' | 'unknown';
  readonly input: unknown;
  readonly ctx: unknown;
}

const maskedMessage = 'Internal server error';

/**
 * Builds tRPC's envelope around a result. Throws if the result has no JSON. `transformTRPCResponse` would build the
 * same envelope from two copies, which costs a tenth of the time of a small call.
 */
export function resultBody(router: AnyTRPCRouter, data: unknown, id?: number): PackedBody {
  const result = { data: router._def._config.transformer.output.serialize(data) };
  return packBody(id === undefined ? { result } : { id, result });
}

/** Builds tRPC's envelope around an error, formatted by the router's formatter; never fails. */
export function errorBody(router: AnyTRPCRouter, call: FailedCall): Uint8Array {
  try {
    const config = router._def._config;
    const shape = mask(getTRPCErrorShape({ config, ...call }), call.error);
    return toBytes({ id: call.id, ...transformTRPCResponse(config, { error: shape }) });
  } catch {
    // The formatter or the transformer failed: the caller still gets an answer.
    return plainError(call);
  }
}

/**
 * Builds the answer to calls that the server ends itself. The reason is a sibling of the error, which no formatter or
 * transformer changes: callers derive from it whether the procedure ran.
 */
export function verdictBody(verdict: BusVerdict, id?: number): Uint8Array {
  return toBytes({ id, ...verdicts[verdict] });
}

const verdicts: Record<BusVerdict, object> = {
  overloaded: ownError('overloaded', 'SERVICE_UNAVAILABLE', 503),
  'deadline-passed': ownError('deadline-passed', 'TIMEOUT', 408),
  timeout: ownError('timeout', 'TIMEOUT', 408),
  'not-opened': ownError('not-opened', 'SERVICE_UNAVAILABLE', 503),
};

function ownError(bus: BusVerdict, code: 'SERVICE_UNAVAILABLE' | 'TIMEOUT', httpStatus: number): object {
  const { message } = failures[bus];
  return { bus, error: { code: TRPC_ERROR_CODES_BY_KEY[code], message, data: { code, httpStatus } } };
}

/**
 * Masks an error. A message that tRPC copied from a thrown error may contain anything, and stacks must not be
 * disclosed.
 */
function mask(shape: TRPCErrorShape, error: TRPCError): TRPCErrorShape {
  const unexpected = isUnexpected(error);
  const data = shape.data as { stack?: unknown } | undefined;
  if (!unexpected && data?.stack === undefined) return shape;
  const { stack: _stack, ...rest } = data ?? {};
  return { ...shape, message: unexpected ? maskedMessage : shape.message, data: rest };
}

/** Tells whether an error was thrown by accident, or at least without a message for the caller. */
export function isUnexpected(error: TRPCError): boolean {
  return (
    error.code === 'INTERNAL_SERVER_ERROR' &&
    error.cause !== undefined &&
    error.message === error.cause.message
  );
}

/** Builds the envelope without the router's formatter and transformer. */
export function plainError({ id, error, path }: Pick<FailedCall, 'id' | 'error' | 'path'>): Uint8Array {
  const message = isUnexpected(error) ? maskedMessage : error.message;
  return toBytes({
    id,
    error: { code: TRPC_ERROR_CODES_BY_KEY[error.code], message, data: { code: error.code, path } },
  });
}

function toBytes(body: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(body));
}
