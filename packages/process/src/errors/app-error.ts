import { createCatalogueText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { QuotaLeft } from '@rubrica/contracts/shared/quota';

export type AppErrorOptions = {
  code: ErrorCode;
  /** Text for the caller. Without it the catalogue's text is used. */
  text?: ErrorText | undefined;
  /** English rendering of a text that a peer of another release sent without its template. */
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
  /** Rendered at the edge, in the reader's language. Undefined where a peer of another release sent `publicMessage` alone. */
  readonly text: ErrorText | undefined;
  /** English rendering, for peers and clients of the release before. */
  readonly publicMessage: string;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly quota: QuotaLeft | undefined;

  constructor({ code, text, publicMessage, details, cause, retryAfterSeconds, quota }: AppErrorOptions) {
    super(code, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.code = code;
    this.text = text ?? (publicMessage === undefined ? createCatalogueText(code) : undefined);
    this.publicMessage = publicMessage ?? (text ? renderEnglish(text) : errorCatalogue[code].en);
    this.details = details ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
    this.quota = quota;
  }
}

/** Whether a text from elsewhere (another release, another service) is a code that this release knows. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value);
}
