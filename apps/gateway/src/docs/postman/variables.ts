import type { Json } from '@rubrica/openapi/json';

/** Values that later calls send, or that each user of the collection sets. */
function isVariable(name: string): boolean {
  return /^[a-z]\w*Id$/.test(name) || name === 'callbackUrl';
}

/**
 * A `referenceTransaction` can be used once. All of a run end alike, so that what was registered is found again, and
 * the next run is given another end.
 */
function isReference(name: string): boolean {
  return name === 'referenceTransaction';
}

/** The value of a field as a request of the collection has it. */
export function withVariables(value: Json, name = ''): Json {
  if (typeof value === 'string') {
    if (isReference(name)) return `${value}-{{run}}`;
    return isVariable(name) ? `{{${name}}}` : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withVariables(one));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withVariables(one, key)]));
}

/** The fields that became variables, with the values of the examples; of several the first that is not empty. */
export function variablesIn(examples: readonly Json[]): ReadonlyMap<string, string> {
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
