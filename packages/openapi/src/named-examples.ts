import type { JsonObject } from './json.ts';

/** Lists each body with its summary, and with a name that generators of clients can use. */
export function namedExamples(bodies: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(
    Object.entries(bodies).map(([summary, value]) => [camelCase(summary), { summary, value }]),
  );
}

function camelCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+([a-z0-9])/g, (_all, first: string) => first.toUpperCase())
    .replace(/[^A-Za-z0-9]/g, '');
}
