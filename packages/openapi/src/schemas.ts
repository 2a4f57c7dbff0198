import { z } from 'zod';
import type { Json, JsonObject } from './json.ts';
import { describeFields } from './meanings/describe-fields.ts';

export interface Schemas {
  /** Returns a reference for a named schema, else the schema itself. */
  use(schema: z.ZodType, io: 'input' | 'output'): JsonObject;
  /** Every named schema that was used, by name. */
  components(): Record<string, JsonObject>;
}

const local = '#/$defs/';
const shared = '#/components/schemas/';

/** Turns zod schemas into JSON Schema 2020-12, the dialect of OpenAPI 3.1, and collects the named ones. */
export function collectSchemas(): Schemas {
  const components: Record<string, JsonObject> = {};
  return {
    use(schema, io) {
      const { $schema: _dialect, $defs = {}, ...own } = toJsonSchema(schema, io);
      for (const [name, definition] of Object.entries($defs))
        components[name] = describeDefinition(definition, name);
      const name = schema.meta()?.id;
      if (typeof name !== 'string') return describeDefinition(own, '');
      components[name] ??= describeDefinition(own, name);
      return { $ref: shared + name };
    },
    components: () => Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Converts to JSON Schema without zod's own additions. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      // Answers may gain fields; only schemas declared strict are closed.
      if (def.type === 'object' && !('catchall' in def && def.catchall))
        delete jsonSchema.additionalProperties;
      if (jsonSchema.format === 'uuid' || jsonSchema.format === 'email') delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}

function describeDefinition(schema: unknown, owner: string): JsonObject {
  return describeFields(toComponentReferences(schema), owner);
}

/** Points references to the components, and removes zod's additions to the standard's members. */
function toComponentReferences(value: unknown): JsonObject {
  return rewrite(value) as JsonObject;
}

function rewrite(value: unknown): Json {
  if (Array.isArray(value)) return value.map(rewrite);
  if (typeof value !== 'object' || value === null) return value as Json;
  const entries = Object.entries(value).filter(([name]) => name !== 'id' && name !== '~standard');
  return Object.fromEntries(
    entries.map(([name, child]) =>
      name === '$ref' && typeof child === 'string'
        ? [name, child.replace(local, shared)]
        : name === 'properties'
          ? [
              name,
              Object.fromEntries(Object.entries(child as object).map(([key, one]) => [key, rewrite(one)])),
            ]
          : [name, rewrite(child)],
    ),
  );
}
