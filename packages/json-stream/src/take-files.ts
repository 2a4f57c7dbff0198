import type { DecodePlan, FileValue } from './decoded.ts';
import { maxItems } from './structure-limits.ts';

type Fields = Record<string, unknown>;

/** What to make of a text or an array in a file's place; undefined where it counts as absent. */
export type DecodeFile<File> = (value: string | readonly unknown[]) => FileValue<File> | undefined;

/** Moves every file of the plan out of the parsed document, so that what stays are small, plain values. */
export function takeFiles<File>(
  fields: Fields,
  plan: Pick<DecodePlan, 'files'>,
  decode: DecodeFile<File>,
): Map<string, FileValue<File>> {
  const files = new Map<string, FileValue<File>>();
  for (const place of plan.files) {
    const [list, name] = place.split('[].') as [string, string?];
    if (name === undefined) take(fields, { key: list, place: list, decode, files });
    else
      for (const { item, at } of itemsOf(fields, list))
        take(item, { key: name, place: `${at}.${name}`, decode, files });
  }
  return files;
}

interface Take<File> {
  readonly key: string;
  readonly place: string;
  readonly decode: DecodeFile<File>;
  readonly files: Map<string, FileValue<File>>;
}

function take<File>(owner: Fields, { key, place, decode, files }: Take<File>): void {
  if (!Object.hasOwn(owner, key)) return;
  const value = owner[key];
  // Neither text nor array stays where it is: it counts among the fields, and is no file.
  if (typeof value !== 'string' && !Array.isArray(value)) {
    if (value !== null) files.set(place, { kind: 'not-a-file' });
    return;
  }
  owner[key] = undefined;
  const file = decode(value);
  if (file !== undefined) files.set(place, file);
}

function* itemsOf(fields: Fields, list: string): Generator<{ item: Fields; at: string }> {
  const items = Object.hasOwn(fields, list) ? fields[list] : undefined;
  if (!Array.isArray(items)) return;
  for (const [index, item] of items.slice(0, maxItems).entries()) {
    if (typeof item === 'object' && item !== null && !Array.isArray(item))
      yield { item, at: `${list}[${index}]` };
  }
}
