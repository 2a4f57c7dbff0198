import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process';

/** This attempt has failed for good: the request goes to ERROR under this code, and an operator or the partner decides. */
export class IssuanceFailed extends Error {
  override readonly name = 'IssuanceFailed';
  readonly code: ErrorCode;
  /** For log and audit: rule ids, attribute names; nothing of the applicant. */
  readonly reason: string | undefined;
  constructor(code: ErrorCode, options: { reason?: string; cause?: unknown } = {}) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = options.reason;
  }
}

/** Gives whatever goes wrong in `work` its code; what is only away for now keeps its own, and the job comes again. */
export async function failingAs<T>(code: ErrorCode, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const isAway = cause instanceof AppError && cause.code === 'SERVICE_UNAVAILABLE';
    throw isAway || cause instanceof IssuanceFailed ? cause : new IssuanceFailed(code, { cause });
  }
}
