import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { CertificateType } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process';

/** State of a quota, as `take_quota` and `quota_left` of the database return it. */
export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** End of the month; null for a package. */
  readonly until: string | null;
}

/** Error code that `take_quota` raises. */
const quotaErrorCode = 'RB429';

/** @returns the exhausted quota, if it is why the statement failed */
export function readQuotaError(error: unknown): QuotaState | undefined {
  const { code, detail } = (error ?? {}) as { code?: unknown; detail?: unknown };
  if (code !== quotaErrorCode || typeof detail !== 'string') return undefined;
  const { limit, until } = JSON.parse(detail) as Pick<QuotaState, 'limit' | 'until'>;
  return { limit, until, remaining: 0 };
}

/** Creates the error 429, with the seconds until the next month; a package offers nothing to wait for. */
export function quotaExceeded(
  { limit, until }: Pick<QuotaState, 'limit' | 'until'>,
  { certificateType, now }: { readonly certificateType: CertificateType; readonly now: Date },
): AppError {
  const waitMs = until === null ? undefined : new Date(until).getTime() - now.getTime();
  return new AppError({
    code: 'QUOTA_EXCEEDED',
    text: createText('request.quotaUsedUp', {
      count: limit,
      type: certificateType,
    }),
    quota: { limit, remaining: 0 },
    ...(waitMs === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) }),
  });
}
