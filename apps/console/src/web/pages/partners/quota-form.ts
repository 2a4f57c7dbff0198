import type { OperatorOutput } from '../../client/trpc.ts';

export type Quota = OperatorOutput<'partners.get'>['quota'];
export const quotaTypes = ['TRADITIONAL_SIGNATURE', 'TRANSACTIONAL_SIGNATURE'] as const;
type QuotaType = (typeof quotaTypes)[number];

/** What a field of the form is called. */
export function quotaField(type: QuotaType, part: 'limit' | 'from' | 'until'): string {
  return `quota.${type}.${part}`;
}

/** A number alone is a month's; with its days it is a package. An empty number is no quota. */
export function quotaOf(form: FormData): Quota {
  const given = quotaTypes.flatMap((type) => {
    const [limit, from, until] = (['limit', 'from', 'until'] as const).map((part) =>
      String(form.get(quotaField(type, part)) ?? '').trim(),
    );
    if (!limit) return [];
    const count = Number(limit);
    return [[type, from || until ? { limit: count, from, until } : count] as const];
  });
  return Object.fromEntries(given) as Quota;
}

/** What the fields show of it. */
export function shownQuota(quota: Quota | undefined, type: QuotaType) {
  const given = quota?.[type] ?? undefined;
  if (given === undefined || typeof given === 'number')
    return { limit: given, from: undefined, until: undefined };
  return given;
}
