import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process/errors';

/** Final failure of an attempt: the request goes to ERROR under this code, and an operator or the partner decides. */
export class IssuanceFailed extends Error {
  override readonly name = 'IssuanceFailed';
  readonly code: ErrorCode;
  /** Reason for log and audit: rule ids and attribute names, no data of the applicant. */
  readonly reason: string | undefined;
  constructor(code: ErrorCode, options: { reason?: string; cause?: unknown } = {}) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = options.reason;
  }
}

/** Wraps errors of `work` under a code. An unavailable service keeps its own code, and the job is redelivered. */
export async function wrapIssuanceFailure<T>(code: ErrorCode, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const isUnavailable = cause instanceof AppError && cause.code === 'SERVICE_UNAVAILABLE';
    throw isUnavailable || cause instanceof IssuanceFailed ? cause : new IssuanceFailed(code, { cause });
  }
}
