import type { Json, JsonObject } from '../json.ts';
import { findMeaning } from './field-meanings.ts';

/** Adds a meaning from the table, in English, to every property of a schema without a description. */
export function describeFields(schema: JsonObject, owner: string): JsonObject {
  const rewritten = Object.entries(schema).map(([key, value]): [string, Json] => {
    if (key === 'properties') return [key, describeProperties(value as JsonObject, owner)];
    if (key === 'items') return [key, describeFields(value as JsonObject, owner)];
    if (key === 'anyOf' || key === 'oneOf')
      return [key, (value as readonly JsonObject[]).map((member) => describeFields(member, owner))];
    return [key, value];
  });
  return Object.fromEntries(rewritten);
}

function describeProperties(properties: JsonObject, owner: string): JsonObject {
  const rows = Object.entries(properties as Record<string, JsonObject>).map(([field, schema]) => {
    const inner = describeFields(schema, field);
    const description = findMeaning({ owner, field, own: undefined }, 'en');
    return [field, isDescribed(schema) || description === undefined ? inner : { ...inner, description }];
  });
  return Object.fromEntries(rows);
}

function isDescribed({ description, anyOf = [] }: JsonObject): boolean {
  return description !== undefined || (anyOf as readonly JsonObject[]).some((member) => member.description);
}
