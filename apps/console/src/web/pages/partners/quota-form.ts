import type { OperatorOutput } from '../../client/trpc.ts';

export type Quota = OperatorOutput<'partners.get'>['quota'];
export const quotaTypes = ['TRADITIONAL_SIGNATURE', 'TRANSACTIONAL_SIGNATURE'] as const;
type QuotaType = (typeof quotaTypes)[number];

/** Returns the name of a form field. */
export function formatQuotaField(type: QuotaType, part: 'limit' | 'from' | 'until'): string {
  return `quota.${type}.${part}`;
}

/** Reads the quota: a number alone is monthly; with days it is a package. An empty number is no quota. */
export function readQuota(form: FormData): Quota {
  const entries = quotaTypes.flatMap((type) => {
    const [limit, from, until] = (['limit', 'from', 'until'] as const).map((part) =>
      String(form.get(formatQuotaField(type, part)) ?? '').trim(),
    );
    if (!limit) return [];
    const count = Number(limit);
    return [[type, from || until ? { limit: count, from, until } : count] as const];
  });
  return Object.fromEntries(entries) as Quota;
}

/** Returns the values of the quota fields. */
export function toQuotaFields(quota: Quota | undefined, type: QuotaType) {
  const current = quota?.[type] ?? undefined;
  if (current === undefined || typeof current === 'number')
    return { limit: current, from: undefined, until: undefined };
  return current;
}
