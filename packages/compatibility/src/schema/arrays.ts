import type { Difference, Judge, Pair } from './difference.ts';
import type { Schema } from './json-schema.ts';

/** Compares lists and tuples: the number of items, and each position separately. */
export function compareArrays(judge: Judge<Schema>, { sent, taken }: Pair<Schema>, at: string): Difference[] {
  const differences: Difference[] = [];
  if ((sent.minItems ?? 0) < (taken.minItems ?? 0))
    differences.push({ at, text: `fewer than ${taken.minItems} are not taken` });
  if (maxLength(sent) > maxLength(taken))
    differences.push({ at, text: `more than ${maxLength(taken)} are not taken` });
  const places = Math.max(sent.prefixItems?.length ?? 0, taken.prefixItems?.length ?? 0);
  for (let place = 0; place < Math.min(places, maxLength(sent)); place += 1) {
    const [own, other] = [findItemSchema(sent, place), findItemSchema(taken, place)];
    if (own && other) differences.push(...judge.fits(own, other, `${at}/[${place}]`));
  }
  const [own, other] = [findItemSchema(sent, places), findItemSchema(taken, places)];
  if (own && other && places < maxLength(sent)) differences.push(...judge.fits(own, other, `${at}/[]`));
  return differences;
}

function maxLength({ maxItems = Number.POSITIVE_INFINITY, prefixItems = [], items }: Schema): number {
  return items === false ? Math.min(maxItems, prefixItems.length) : maxItems;
}

/** Returns the schema of a position; undefined if none is allowed there. */
function findItemSchema({ prefixItems = [], items = {} }: Schema, place: number): Schema | undefined {
  return prefixItems[place] ?? (items === false ? undefined : items);
}
