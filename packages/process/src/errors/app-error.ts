import { createCatalogueText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { QuotaLeft } from '@rubrica/contracts/shared/quota';

export type AppErrorOptions = {
  code: ErrorCode;
  /** Text for the caller; default: the catalogue's text. */
  text?: ErrorText | undefined;
  /** English rendering of a text that a peer of another release sent without its template. */
  publicMessage?: string;
  /** One entry per fault of the input, in the order of the caller's fields. */
  details?: readonly ErrorDetail[];
  /** Internal reason: logged in summary, never sent. */
  cause?: unknown;
  /** Seconds after which a repeat makes sense; becomes `Retry-After` at the edge. */
  retryAfterSeconds?: number;
  /** Quota that the call was measured against; becomes headers at the edge. */
  quota?: QuotaLeft;
};

/**
 * Failure that crosses module, process and HTTP borders. `code` is from the contracts' closed catalogue, which alone
 * decides HTTP status, tRPC code, retryable and correctable.
 *
 * `message` holds the code only: an error printed by accident shows no text of the caller.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /**
   * Rendered at the edge, in the reader's language. Undefined if a peer of another release sent `publicMessage` only.
   */
  readonly text: ErrorText | undefined;
  /** English rendering, for peers and clients of the previous release. */
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

/** Tells whether a value from another release or service is a code that this release knows. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value);
}
