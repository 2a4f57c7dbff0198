import type { BodyPlan, FileValue } from './body.ts';
import { decodeFile } from './decode-file.ts';

type Fields = Record<string, unknown>;

/** Moves every file of the plan out of the parsed body, so that what stays are small, plain values. */
export function takeFiles(fields: Fields, plan: BodyPlan): Map<string, FileValue> {
  const files = new Map<string, FileValue>();
  for (const place of plan.files) {
    const [list, name] = place.split('[].') as [string, string?];
    if (name === undefined) take(fields, { key: list, place: list, plan, files });
    else
      for (const { item, at } of itemsOf(fields, list))
        take(item, { key: name, place: `${at}.${name}`, plan, files });
  }
  return files;
}

interface Take {
  readonly key: string;
  readonly place: string;
  readonly plan: BodyPlan;
  readonly files: Map<string, FileValue>;
}

function take(holder: Fields, { key, place, plan, files }: Take): void {
  if (!Object.hasOwn(holder, key)) return;
  const value = holder[key];
  // Neither text nor array stays where it is: it counts among the fields, and is no file.
  if (typeof value !== 'string' && !Array.isArray(value)) {
    if (value !== null) files.set(place, { kind: 'not-a-file' });
    return;
  }
  holder[key] = undefined;
  if (typeof value === 'string' && isBlank(value)) return;
  files.set(place, decodeFile(value, plan.maxFileBytes));
}

/** An empty text counts as absent; only short ones can be blank, so long ones are not looked through. */
function isBlank(text: string): boolean {
  return text.length <= 1_000 && text.trim() === '';
}

/** More items than any list may have are left alone: the list is refused anyway. */
const maxItems = 100;

function* itemsOf(fields: Fields, list: string): Generator<{ item: Fields; at: string }> {
  const items = Object.hasOwn(fields, list) ? fields[list] : undefined;
  if (!Array.isArray(items)) return;
  for (const [index, item] of items.slice(0, maxItems).entries()) {
    if (typeof item === 'object' && item !== null && !Array.isArray(item))
      yield { item, at: `${list}[${index}]` };
  }
}
