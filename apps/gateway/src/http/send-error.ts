import { type ErrorObject, errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { AppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toErrorObject } from './error-object.ts';
import { setQuotaHeaders } from './quota-headers.ts';
import { toFault } from './to-app-error.ts';

export interface FaultAnswerDeps {
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly baseUrl: string;
}

/** Answer to a failure. */
export interface FaultAnswer {
  readonly fault: AppError;
  readonly status: number;
  /** Returns the body in the caller's language. */
  body(): ErrorObject;
}

/** Converts any failure to its answer, and logs those that are not the caller's fault. */
export type AnswerFault = (error: unknown, request: FastifyRequest) => FaultAnswer;

export interface ErrorSenderDeps {
  readonly answerFault: AnswerFault;
  /** Renders a page instead of the error object, for addresses that people open. */
  readonly pageOf?: (
    fault: AppError,
    request: FastifyRequest,
  ) => { readonly body: string; readonly language: string; readonly policy: string } | undefined;
}

export type SendError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  extra?: object,
) => FastifyReply;

const defaultRetryAfterSeconds = 2;

export function createFaultAnswer(deps: FaultAnswerDeps): AnswerFault {
  return (error, request) => {
    const fault = toFault(error);
    logFault(fault, request, deps.logger);
    return {
      fault,
      status: errorCatalogue[fault.code].http,
      body: () =>
        toErrorObject(fault, {
          path: removeToken(withoutQuery(request.raw.url)),
          traceId: request.call.traceId,
          language: request.call.language,
          now: deps.clock(),
          timeZone: deps.timeZone,
          baseUrl: deps.baseUrl,
        }),
    };
  };
}

/** Creates the sender of failures: the error object and the headers of its status. */
export function createErrorSender(deps: ErrorSenderDeps): SendError {
  return (error, request, reply, extra) => {
    const { fault, status, body } = deps.answerFault(error, request);
    const page = deps.pageOf?.(fault, request);
    setRetryAfter(reply, fault);
    setQuotaHeaders(reply, fault.quota);
    // Closing the connection drops the calls that an unknown caller has already sent.
    if (fault.code === 'RATE_LIMITED' && request.caller.kind === 'public')
      reply.header('connection', 'close');
    if (page !== undefined) {
      return reply
        .code(status)
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-language', page.language)
        .header('content-security-policy', page.policy)
        .send(page.body);
    }
    if (status === 401 || status === 403) challenge(request, reply, status);
    return reply
      .code(status)
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-language', request.call.language)
      .send(JSON.stringify({ ...body(), ...extra }));
  };
}

/** Returns the address without its query, which may contain personal data. */
export function withoutQuery(url: string | undefined): string {
  const path = url?.split('?', 1)[0] ?? '/';
  return path.length > 500 ? `${path.slice(0, 500)}…` : path;
}

/** Removes the token of a link: it is secret, and error objects end up in logs and support cases. */
function removeToken(path: string): string {
  return path.replace(/^(\/claim|\/renew|\/liveness|\/review\/evidence)\/[^/]+/, '$1/{token}');
}

function logFault(fault: AppError, request: FastifyRequest, logger: FaultAnswerDeps['logger']): void {
  const where = { method: request.method, route: request.routeOptions?.url ?? 'none', appCode: fault.code };
  const err = fault.cause ?? fault;
  if (fault.code === 'INTERNAL_ERROR') logger.error({ ...where, err }, 'request failed');
  else if (fault.code === 'SERVICE_UNAVAILABLE') logger.warn({ ...where, err }, 'request not served');
}

/**
 * Sets the challenge (RFC 6750 §3), with `error` only where a token was sent. Other schemes set the header themselves.
 */
function challenge(request: FastifyRequest, reply: FastifyReply, status: 401 | 403): void {
  if (reply.hasHeader('www-authenticate')) return;
  const scope = request.routeOptions?.config?.scope;
  const parts = ['realm="rubrica"'];
  if (status === 403) parts.push('error="insufficient_scope"');
  else if (request.headers.authorization !== undefined) parts.push('error="invalid_token"');
  if (scope !== undefined) parts.push(`scope="${scope}"`);
  reply.header('www-authenticate', `Bearer ${parts.join(', ')}`);
}

/** Sets Retry-After with a 429 or 503. */
export function setRetryAfter(reply: FastifyReply, fault: AppError): void {
  const seconds = computeRetryAfter(fault);
  if (seconds === undefined || reply.hasHeader('retry-after')) return;
  reply.header('retry-after', String(seconds));
}

/** Returns the seconds to wait; undefined for other statuses than 429 and 503, and for an exhausted quota. */
export function computeRetryAfter(fault: AppError): number | undefined {
  const { http } = errorCatalogue[fault.code];
  if (http !== 429 && http !== 503) return undefined;
  if (fault.code === 'QUOTA_EXCEEDED' && fault.retryAfterSeconds === undefined) return undefined;
  return Math.max(1, Math.ceil(fault.retryAfterSeconds ?? defaultRetryAfterSeconds));
}
