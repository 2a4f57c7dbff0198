import type { SearchResultRow } from '../../parts/search-page.tsx';

/** Outcomes in the order of bars and legends: with a certificate, open, ended without one. */
export const outcomes = ['issued', 'open', 'refused', 'cancelled', 'expired'] as const;
export type Outcome = (typeof outcomes)[number];

/** Sums the outcomes of all families. */
export function sumOutcomes({ byFamily }: Pick<SearchResultRow<'reports.usage'>, 'byFamily'>) {
  const sum = (field: keyof (typeof byFamily)['TV']) =>
    Object.values(byFamily).reduce((total, family) => total + family[field], 0);
  const ended = {
    issued: sum('issued'),
    refused: sum('refused'),
    cancelled: sum('cancelled'),
    expired: sum('expired'),
  };
  const registered = sum('registered');
  const open = registered - ended.issued - ended.refused - ended.cancelled - ended.expired;
  return { registered, parts: { ...ended, open } satisfies Record<Outcome, number> };
}
