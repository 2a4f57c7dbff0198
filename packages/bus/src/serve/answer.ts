import {
  type AnyTRPCRouter,
  getTRPCErrorShape,
  type TRPCError,
  type TRPCErrorShape,
  transformTRPCResponse,
} from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { failures } from '../call/failures.ts';
import { type PackedBody, packBody } from '../wire/attachments.ts';

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
 * tRPC's envelope around a result. Throws when the result has no JSON. `transformTRPCResponse` would
 * make the same envelope out of two copies, for a tenth of the time a small call takes.
 */
export function resultBody(router: AnyTRPCRouter, data: unknown, id?: number): PackedBody {
  const result = { data: router._def._config.transformer.output.serialize(data) };
  return packBody(id === undefined ? { result } : { id, result });
}

/** tRPC's envelope around an error, shaped by the router's formatter; never fails. */
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

/** Why the server, not the procedure, ended a call. */
export type BusVerdict = 'overloaded' | 'deadline-passed' | 'timeout' | 'not-opened';

/**
 * For calls that the server ends itself. The reason stands beside the error, where no formatter or transformer
 * reaches: callers tell by it whether the procedure ran.
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
