import type { DecodePlan, FileValue } from './decoded.ts';
import { maxItems } from './structure-limits.ts';

type Fields = Record<string, unknown>;

/** Decodes a text or an array in the location of a file; undefined if it counts as absent. */
export type DecodeFile<File> = (value: string | readonly unknown[]) => FileValue<File> | undefined;

/** Moves every file of the plan out of the parsed document, so that only small, plain values remain. */
export function takeFiles<File>(
  fields: Fields,
  plan: Pick<DecodePlan, 'files'>,
  decode: DecodeFile<File>,
): Map<string, FileValue<File>> {
  const files = new Map<string, FileValue<File>>();
  for (const place of plan.files) {
    const [list, name] = place.split('[].') as [string, string?];
    if (name === undefined) moveFile(fields, { key: list, place: list, decode, files });
    else
      for (const { item, at } of readItems(fields, list))
        moveFile(item, { key: name, place: `${at}.${name}`, decode, files });
  }
  return files;
}

interface Take<File> {
  readonly key: string;
  readonly place: string;
  readonly decode: DecodeFile<File>;
  readonly files: Map<string, FileValue<File>>;
}

function moveFile<File>(owner: Fields, { key, place, decode, files }: Take<File>): void {
  if (!Object.hasOwn(owner, key)) return;
  const value = owner[key];
  // Values that are neither text nor array stay in place: they count among the fields, and are not a file.
  if (typeof value !== 'string' && !Array.isArray(value)) {
    if (value !== null) files.set(place, { kind: 'not-a-file' });
    return;
  }
  owner[key] = undefined;
  const file = decode(value);
  if (file !== undefined) files.set(place, file);
}

function* readItems(fields: Fields, list: string): Generator<{ item: Fields; at: string }> {
  const items = Object.hasOwn(fields, list) ? fields[list] : undefined;
  if (!Array.isArray(items)) return;
  for (const [index, item] of items.slice(0, maxItems).entries()) {
    if (typeof item === 'object' && item !== null && !Array.isArray(item))
      yield { item, at: `${list}[${index}]` };
  }
}
