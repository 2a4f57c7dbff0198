import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { TRPCError } from '@trpc/server';
import { AppError } from '../errors/app-error.ts';
import { errorDetail } from '../errors/error-detail.ts';
import { isClientError, toAppError } from '../errors/to-app-error.ts';
import { describeIssue, type Issue } from './describe-issue.ts';

/** Codes of faults that tRPC itself detects before or instead of a procedure. All others are unexpected. */
const codeByTrpcCode: { readonly [Code in TRPCError['code']]?: ErrorCode } = {
  PARSE_ERROR: 'BODY_MALFORMED',
  BAD_REQUEST: 'BODY_MALFORMED',
  UNAUTHORIZED: 'UNAUTHENTICATED',
  FORBIDDEN: 'FORBIDDEN',
  NOT_FOUND: 'ROUTE_NOT_FOUND',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
  PAYLOAD_TOO_LARGE: 'BODY_TOO_LARGE',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  TOO_MANY_REQUESTS: 'RATE_LIMITED',
  SERVICE_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
  TIMEOUT: 'SERVICE_UNAVAILABLE',
  CLIENT_CLOSED_REQUEST: 'SERVICE_UNAVAILABLE',
};

/**
 * Converts a failed call to an `AppError`. A peer's failure passes unchanged through an intermediate service; an
 * unexpected cause becomes INTERNAL_ERROR, whatever it says.
 */
export function fromTrpcError(error: TRPCError): AppError {
  const { cause } = error;
  if (cause instanceof AppError) return cause;
  if (isClientError(cause)) return toAppError(cause);
  if (error.code === 'BAD_REQUEST' && isIssueList(cause)) {
    return invalidInput(cause);
  }
  // tRPC wraps an error of a handler as INTERNAL_SERVER_ERROR; its own faults have a more precise code.
  const code = codeByTrpcCode[error.code] ?? 'INTERNAL_ERROR';
  return new AppError({ code, cause: cause ?? error });
}

/** Creates the refusal of an input by its schema, with a detail for each fault and for each unknown field. */
export function invalidInput(cause: IssueList): AppError {
  return new AppError({ code: 'FIELD_INVALID', details: toDetails(cause), cause });
}

type IssueList = Error & { issues: readonly Issue[] };

const maxDetails = 100;

function isIssueList(value: unknown): value is IssueList {
  return value instanceof Error && Array.isArray((value as { issues?: unknown }).issues);
}

function toDetails({ issues }: IssueList): ErrorDetail[] {
  const faults = issues.flatMap((issue) => {
    const { path, keys } = issue;
    if (keys === undefined) return [{ path, text: describeIssue(issue) }];
    const text = createText('field.unknown');
    return keys.slice(0, maxDetails).map((name) => ({ path: [...path, name], text }));
  });
  return faults.slice(0, maxDetails).map(({ path, text }) => ({
    ...errorDetail('FIELD_INVALID', path.length > 0 ? path.map(String).join('.') : undefined, text),
    // A service sent the input: no person can correct it.
    correctable: false,
  }));
}
