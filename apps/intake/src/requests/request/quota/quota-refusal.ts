import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { CertificateType } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process';

/** As `take_quota` and `quota_left` of the database give it. */
export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** When the month ends; null for a package. */
  readonly until: string | null;
}

/** Raised by `take_quota`. */
const usedUp = 'RB429';

/** @returns what is used up, where that is why the statement failed */
export function readUsedUp(error: unknown): QuotaState | undefined {
  const { code, detail } = (error ?? {}) as { code?: unknown; detail?: unknown };
  if (code !== usedUp || typeof detail !== 'string') return undefined;
  const { limit, until } = JSON.parse(detail) as Pick<QuotaState, 'limit' | 'until'>;
  return { limit, until, remaining: 0 };
}

/** 429, with the seconds until the next month; of a package there is nothing to wait for. */
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
