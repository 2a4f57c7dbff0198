import source from '../data/provinces-cantons.json' with { type: 'json' };
import { cityNames } from './cities.ts';

/** Province; `code` is INEC's two-digit code. */
export type Province = { readonly code: string; readonly name: string };
/** Canton; `code` is INEC's four-digit code, which starts with its province's. */
export type Canton = { readonly code: string; readonly name: string; readonly provinceCode: string };

/** All provinces by code. Source: src/data/SOURCE.md. */
export const provinces: readonly Province[] = Object.freeze(
  source.map(({ code, name }) => Object.freeze({ code, name })),
);

/** All cantons by code. Source: src/data/SOURCE.md. */
export const cantons: readonly Canton[] = Object.freeze(
  source.flatMap((province) =>
    province.cantons.map(({ code, name }) => Object.freeze({ code, name, provinceCode: province.code })),
  ),
);

/** Longer than any name of a place, in characters. */
const maxNameLength = 100;

/** Normalizes a place's name for comparison: no accents, lower case, single spaces instead of spaces and hyphens. */
function fold(text: string): string {
  return text
    .slice(0, maxNameLength)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]+/gu, ' ')
    .trim();
}

const provinceByKey = new Map(
  provinces.flatMap((province) => [
    [province.code, province],
    [fold(province.name), province],
  ]),
);

const cantonsByKey = Map.groupBy(
  [
    ...cantons.flatMap((canton) => [
      { key: canton.code, canton },
      { key: fold(canton.name), canton },
    ]),
    // After all names: the name of a canton takes precedence over the seat of another.
    ...cantons.flatMap((canton) =>
      (cityNames[canton.code] ?? []).map((name) => ({ key: fold(name), canton })),
    ),
  ],
  ({ key }) => key,
);

/** Finds a province by code or name; accents, case and hyphens do not matter. */
export function findProvince(text: string): Province | undefined {
  return provinceByKey.get(fold(text));
}

/**
 * Finds a canton by its name, its code, or the name of its city; accents, case and hyphens do not matter. Several
 * provinces have a Bolívar or an Olmedo: without `province` it returns the one with the lowest code.
 * @param province name or code; an unknown one finds nothing
 */
export function findCanton(text: string, province?: string): Canton | undefined {
  const found = cantonsByKey.get(fold(text)) ?? [];
  if (province === undefined) return found[0]?.canton;
  const provinceCode = findProvince(province)?.code;
  return found.find(({ canton }) => canton.provinceCode === provinceCode)?.canton;
}
