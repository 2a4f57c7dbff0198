import type { Difference, Judge, Pair } from './difference.ts';
import type { Schema } from './json-schema.ts';

/** Lists and tuples: how many there may be, and each place by itself. */
export function compareArrays(judge: Judge<Schema>, { sent, taken }: Pair<Schema>, at: string): Difference[] {
  const differences: Difference[] = [];
  if ((sent.minItems ?? 0) < (taken.minItems ?? 0))
    differences.push({ at, text: `fewer than ${taken.minItems} are not taken` });
  if (longest(sent) > longest(taken))
    differences.push({ at, text: `more than ${longest(taken)} are not taken` });
  const places = Math.max(sent.prefixItems?.length ?? 0, taken.prefixItems?.length ?? 0);
  for (let place = 0; place < Math.min(places, longest(sent)); place += 1) {
    const [own, other] = [atPlace(sent, place), atPlace(taken, place)];
    if (own && other) differences.push(...judge.fits(own, other, `${at}/[${place}]`));
  }
  const [own, other] = [atPlace(sent, places), atPlace(taken, places)];
  if (own && other && places < longest(sent)) differences.push(...judge.fits(own, other, `${at}/[]`));
  return differences;
}

function longest({ maxItems = Number.POSITIVE_INFINITY, prefixItems = [], items }: Schema): number {
  return items === false ? Math.min(maxItems, prefixItems.length) : maxItems;
}

/** What may stand at a place; undefined where nothing may. */
function atPlace({ prefixItems = [], items = {} }: Schema, place: number): Schema | undefined {
  return prefixItems[place] ?? (items === false ? undefined : items);
}
