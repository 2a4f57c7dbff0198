import type { Json } from '../schema/json-schema.ts';

/** What documents say to people, and dialects to tools. */
const forPeople = new Set([
  'description',
  'title',
  'summary',
  'example',
  'examples',
  'tags',
  '$schema',
  '~standard',
  'id',
  'setting',
  'externalDocs',
]);

/** Below these stand names that others chose, `title` and `id` among them. */
const named = new Set([
  'properties',
  '$defs',
  'schemas',
  'headers',
  'paths',
  'responses',
  'content',
  'parameters',
]);

/** The document without what bears on no value. */
export function plain(value: unknown): Json {
  return walk(JSON.parse(JSON.stringify(value)) as Json, false);
}

function walk(value: Json, isNamed: boolean): Json {
  if (Array.isArray(value)) return value.map((one) => walk(one, false));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => isNamed || !forPeople.has(name));
  return Object.fromEntries(kept.map(([name, child]) => [name, walk(child, !isNamed && named.has(name))]));
}
