import { z } from 'zod';
import { instantByName, numberByName, textByFormat, textByName } from '../content/example-values.ts';

/** Keywords of JSON Schema that the operators' procedures use. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly minLength?: number;
}

/** Creates a request or an answer of a procedure from its schema alone. The schema accepts it. */
export function createExample(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const described = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
  const context = { defs: described.$defs ?? {} };
  const minimal = createValue(described, '', context);
  if (io === 'output' || schema.safeParse(minimal).success) return addFilter(described, minimal, context);
  // One of several fields is required, which only the schema itself checks.
  const { properties = {} } = described;
  const larger = Object.entries(properties).map(([name, field]) => ({
    ...(minimal as object),
    [name]: createValue(field, name, context),
  }));
  return larger.find((value) => schema.safeParse(value).success) ?? minimal;
}

/** Adds the first filter to a search, whose minimal example has none. */
function addFilter(
  { properties = {}, required = [] }: Schema,
  minimal: unknown,
  context: ExampleContext,
): unknown {
  const filters = Object.entries(properties).filter(
    ([name]) => !['cursor', 'limit', 'reason'].includes(name),
  );
  const [first] = filters;
  if (required.length > 0 || first === undefined) return minimal;
  return { [first[0]]: createValue(first[1], first[0], context) };
}

interface ExampleContext {
  readonly defs: Readonly<Record<string, Schema>>;
}

function createValue(schema: Schema, name: string, context: ExampleContext): unknown {
  if (schema.$ref !== undefined) return createValue(context.defs[schema.$ref.slice(8)] ?? {}, name, context);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) return createValue(choice, name, context);
  if (schema.properties !== undefined) return createObject(schema, context);
  if (schema.items !== undefined) return [createValue(schema.items, name.replace(/s$/, ''), context)];
  if (schema.propertyNames !== undefined) return createRecord(schema, context);
  return createScalar(schema, name);
}

function createObject({ properties = {}, required = [] }: Schema, context: ExampleContext): object {
  const fields = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, createValue(field, name, context)]));
}

function createRecord(
  { propertyNames, additionalProperties, required = [] }: Schema,
  context: ExampleContext,
): object {
  if (typeof additionalProperties !== 'object' || propertyNames?.enum === undefined) return {};
  return Object.fromEntries(required.map((name) => [name, createValue(additionalProperties, name, context)]));
}

function createScalar({ type, format, minimum, minLength = 0 }: Schema, name: string): unknown {
  const [kind] = [type ?? 'null'].flat();
  if (kind === 'boolean') return true;
  if (kind === 'integer' || kind === 'number') return numberByName[name] ?? Math.max(minimum ?? 0, 1);
  if (kind !== 'string') return null;
  if (format === 'date-time' && instantByName[name] !== undefined) return instantByName[name];
  // Ids that are not UUIDs belong to waiting changes.
  const id = name === 'id' || name === 'cursor' ? textByName.approvalId : undefined;
  return textByFormat[format ?? ''] ?? textByName[name] ?? id ?? '…'.padEnd(minLength, '…');
}
