import type { Json } from '../schema/json-schema.ts';

/** Keywords that documents contain for people, and dialects for tools. */
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

/** Keywords whose children are arbitrary names, including `title` and `id`. */
const nameContainers = new Set([
  'properties',
  '$defs',
  'schemas',
  'headers',
  'paths',
  'responses',
  'content',
  'parameters',
]);

/** Removes all keywords that do not limit values. */
export function withoutAnnotations(value: unknown): Json {
  return walk(JSON.parse(JSON.stringify(value)) as Json, false);
}

function walk(value: Json, isNamed: boolean): Json {
  if (Array.isArray(value)) return value.map((one) => walk(one, false));
  if (typeof value !== 'object' || value === null) return value;
  const limiting = Object.entries(value).filter(([name]) => isNamed || !forPeople.has(name));
  return Object.fromEntries(
    limiting.map(([name, child]) => [name, walk(child, !isNamed && nameContainers.has(name))]),
  );
}
