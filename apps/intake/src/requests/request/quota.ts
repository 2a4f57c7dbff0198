import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { CertificateType, Family } from '@rubrica/contracts/shared/enumerations';
import type { SqlRunner } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import { determineKind } from './family-plans.ts';
import type { RequestChange } from './one-statement.ts';

/** State of a quota, as `take_quota` and `quota_left` of the database return it. */
export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** End of the month; null for a package. */
  readonly until: string | null;
}

/**
 * Adds to the insert of a request that it counts against its partner's quota; the result has the column
 * `quota`. Both are one statement: it fails if the quota is exhausted, and a repeat is not counted.
 */
export function takeQuota({ sql, params, gives }: RequestChange, timeZone: string): RequestChange {
  const take = 'take_quota(partner_id, certificate_type, created_at, :timeZone) as quota';
  return { sql, params: { ...params, timeZone }, gives: gives === undefined ? take : `${gives}, ${take}` };
}

/** Error code that `take_quota` raises. */
const quotaErrorCode = 'RB429';

/** Converts the error of a statement with `takeQuota` to QUOTA_EXCEEDED, if the quota is why it failed. */
export function toQuotaError(error: unknown, refused: RefusedRequest): unknown {
  const { code, detail } = (error ?? {}) as { code?: unknown; detail?: unknown };
  if (code !== quotaErrorCode || typeof detail !== 'string') return error;
  return createQuotaExceeded(JSON.parse(detail) as Pick<QuotaState, 'limit' | 'until'>, refused);
}

interface RefusedRequest {
  readonly certificateType: CertificateType;
  readonly now: Date;
}

/** Creates the error 429, with the seconds until the next month; a package offers nothing to wait for. */
function createQuotaExceeded(
  { limit, until }: Pick<QuotaState, 'limit' | 'until'>,
  { certificateType, now }: RefusedRequest,
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

/** SQL for the statement that ends a request without a certificate: refunds the quota. */
export const refundQuotaSql = 'give_quota_back(partner_id, certificate_type, created_at) as given_back';

/**
 * SQL for a statement that ends many requests. Their rows come by partner, type and time, so that two such
 * statements never deadlock.
 */
export const refundQuotaBatchSql = {
  sql: 'give_quota_back_in_batch(partner_id, certificate_type, created_at)',
  order: 'partner_id, certificate_type, created_at',
} as const;

/** Reads the quota without using it. */
export const readQuotaLeft = statement<
  { partnerId: string; certificateType: string; now: Date; timeZone: string },
  { quota: QuotaState | null }
>({
  name: 'read-quota-left',
  sql: 'select quota_left(:partnerId, :certificateType, :now, :timeZone) as quota',
});

interface QuotaQuery {
  readonly input: { readonly family: Family; readonly fields: Readonly<Record<string, string | boolean>> };
  readonly partnerId: string;
  readonly now: Date;
}

/**
 * Refuses a dry run without quota left; a registration takes it with its insert.
 * @throws AppError QUOTA_EXCEEDED
 */
export async function refuseWithoutQuota(
  { database, timeZone }: { readonly database: SqlRunner; readonly timeZone: string },
  { input, partnerId, now }: QuotaQuery,
): Promise<void> {
  const { certificateType } = determineKind(input.family, input.fields);
  const [row] = await readQuotaLeft.run(database, { partnerId, certificateType, now, timeZone });
  if (row?.quota?.remaining === 0) throw createQuotaExceeded(row.quota, { certificateType, now });
}
