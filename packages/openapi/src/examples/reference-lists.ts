import type { ReferenceOperationId, referenceOperations } from '@rubrica/contracts/rest/reference';
import type { z } from 'zod';
import { referenceRows } from '../reference-rows.ts';

interface ListExample<Id extends ReferenceOperationId> {
  readonly query: Readonly<Record<string, string>>;
  readonly answer: z.output<(typeof referenceOperations)[Id]['success']>;
}

/** Queries of lists. All lists are requested whole, except the long list of cities. */
const queries: Partial<Record<ReferenceOperationId, Record<string, string>>> = {
  listCities: { province: 'Azuay' },
};

const lists = Object.entries(referenceRows) as [
  ReferenceOperationId,
  (typeof referenceRows)[ReferenceOperationId],
][];

/** Examples with the first rows of each list. */
export const referenceExamples = Object.fromEntries(
  lists.map(([id, rowsOf]) => [id, { query: queries[id] ?? {}, answer: rowsOf('en').slice(0, 3) }]),
) as { readonly [Id in ReferenceOperationId]: ListExample<Id> };
