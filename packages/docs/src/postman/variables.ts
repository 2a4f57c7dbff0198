import type { Json } from '@rubrica/openapi/json';

/** Recognises values that later calls send, or that each user of the collection sets. */
function isVariable(name: string): boolean {
  return /^[a-z]\w*Id$/.test(name) || name === 'callbackUrl';
}

/**
 * Recognises a `referenceTransaction`, which can be used once. All references of a run have one suffix, so that later
 * calls find what was registered. The next run has another suffix.
 */
function isReference(name: string): boolean {
  return name === 'referenceTransaction';
}

/** Replaces values of an example by the variables of the collection. */
export function insertVariables(value: Json, name = ''): Json {
  if (typeof value === 'string') {
    if (isReference(name)) return `${value}-{{run}}`;
    return isVariable(name) ? `{{${name}}}` : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => insertVariables(one));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, insertVariables(one, key)]));
}

/** Finds the fields that become variables, each with the first example that is not empty. */
export function findVariables(examples: readonly Json[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const look = (value: Json, name = ''): void => {
    if (typeof value === 'string') {
      if (isVariable(name) && !found.get(name)) found.set(name, value);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) look(one, key);
    }
  };
  for (const example of examples) look(example);
  return found;
}
