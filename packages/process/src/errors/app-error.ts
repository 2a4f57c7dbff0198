import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { QuotaLeft } from '@rubrica/contracts/shared/quota';

export type AppErrorOptions = {
  code: ErrorCode;
  /** What the caller may read. Without it the catalogue's English text is used. */
  publicMessage?: string;
  /** One entry per fault of the input, in the order the caller gave the fields. */
  details?: readonly ErrorDetail[];
  /** The internal reason: logged in summary, never sent. */
  cause?: unknown;
  /** Seconds after which a repeat makes sense; becomes `Retry-After` at the edge. */
  retryAfterSeconds?: number;
  /** Of the quota that a call was measured by; becomes headers at the edge. */
  quota?: QuotaLeft;
};

/**
 * The one failure that crosses module, process and HTTP borders. `code` is from the contracts' closed
 * catalogue, which alone decides HTTP status, tRPC code, retryable and correctable.
 *
 * `message` holds the code only: whoever prints an error by accident prints no words of the caller.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly publicMessage: string;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly quota: QuotaLeft | undefined;

  constructor({ code, publicMessage, details, cause, retryAfterSeconds, quota }: AppErrorOptions) {
    super(code, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.code = code;
    this.publicMessage = publicMessage ?? errorCatalogue[code].en;
    this.details = details ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
    this.quota = quota;
  }
}

/** Whether a text from elsewhere (another release, another service) is a code that this release knows. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value);
}
