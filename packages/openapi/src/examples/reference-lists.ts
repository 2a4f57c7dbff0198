import type { ReferenceOperationId, referenceOperations } from '@rubrica/contracts/rest/reference';
import type { z } from 'zod';
import { referenceRows } from '../reference-rows.ts';

interface ListExample<Id extends ReferenceOperationId> {
  readonly query: Readonly<Record<string, string>>;
  readonly answer: z.output<(typeof referenceOperations)[Id]['success']>;
}

/** Lists are asked for whole, but for the cities: theirs is long. */
const queries: Partial<Record<ReferenceOperationId, Record<string, string>>> = {
  listCities: { province: 'Azuay' },
};

const lists = Object.entries(referenceRows) as [
  ReferenceOperationId,
  (typeof referenceRows)[ReferenceOperationId],
][];

/** The beginning of what is served. */
export const referenceExamples = Object.fromEntries(
  lists.map(([id, rowsOf]) => [id, { query: queries[id] ?? {}, answer: rowsOf('en').slice(0, 3) }]),
) as { readonly [Id in ReferenceOperationId]: ListExample<Id> };
