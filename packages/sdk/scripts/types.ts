import { z } from 'zod';

/** Enumerations with their own name: a schema with the same values uses the name. */
export type Enumerations = Readonly<Record<string, readonly string[]>>;

/** Part of JSON Schema that the contracts use. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly minimum?: number;
}

export interface Types {
  /** Returns the TypeScript of a schema: its name if it has one. */
  use(schema: z.ZodType, io: 'input' | 'output'): string;
  /** Lists every named type that was used. */
  declarations(): string[];
}

export function collectTypes(enumerations: Enumerations): Types {
  const named = new Map<string, string>();
  const declare = (id: string, schema: Schema) => {
    const name = toTypeName(id);
    const text = declareType(name, schema, enumerations);
    if ((named.get(name) ?? text) !== text)
      throw new Error(`${name} is sent in one form and answered in another`);
    named.set(name, text);
  };
  return {
    use(schema, io) {
      const { $defs = {}, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
      for (const [name, definition] of Object.entries($defs)) declare(name, definition);
      const name = schema.meta()?.id;
      if (typeof name !== 'string') return toType(own, enumerations);
      if (own.$ref === undefined) declare(name, own);
      return toTypeName(name);
    },
    declarations() {
      const listed = Object.entries(enumerations).map(
        ([name, values]) => [name, `export type ${name} = ${literals(values)};`] as const,
      );
      return [...listed, ...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    },
  };
}

/** Renames `Error`, which is JavaScript's own. */
const toTypeName = (id: string) => (id === 'Error' ? 'ErrorObject' : id);

function declareType(name: string, schema: Schema, enumerations: Enumerations): string {
  return schema.properties === undefined
    ? `export type ${name} = ${toType(schema, enumerations)};`
    : `export interface ${name} ${toType(schema, enumerations)}`;
}

function toType(schema: Schema, enumerations: Enumerations): string {
  const inner = (schema: Schema) => toType(schema, enumerations);
  if (schema.$ref !== undefined) return toTypeName(schema.$ref.replace('#/$defs/', ''));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return toEnumeration(schema.enum, enumerations);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return isFile(schema) ? 'FileContent' : choices.map(inner).join(' | ');
  if (schema.properties !== undefined) return toObject(schema, enumerations);
  if (schema.items !== undefined) return `Array<${inner(schema.items)}>`;
  if (schema.propertyNames !== undefined) return toRecord(schema, enumerations);
  // Any JSON value.
  if (schema.type === undefined) return 'unknown';
  return [schema.type].flat().map(plainType).join(' | ');
}

function plainType(type: string): string {
  const known = plain[type as keyof typeof plain];
  if (known === undefined) throw new Error(`no type for ${type}`);
  return known;
}

const plain = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
} as const;

function toRecord(schema: Schema, enumerations: Enumerations): string {
  const { propertyNames = {}, additionalProperties, required } = schema;
  const value =
    typeof additionalProperties === 'object' ? toType(additionalProperties, enumerations) : 'unknown';
  const record = `Record<${toType(propertyNames, enumerations)}, ${value}>`;
  return propertyNames.enum !== undefined && required === undefined ? `Partial<${record}>` : record;
}

function toEnumeration(values: readonly unknown[], enumerations: Enumerations): string {
  const same = ([, known]: [string, readonly string[]]) => JSON.stringify(known) === JSON.stringify(values);
  return Object.entries(enumerations).find(same)?.[0] ?? literals(values);
}

function literals(values: readonly unknown[]): string {
  return values.map((schema) => JSON.stringify(schema)).join(' | ');
}

/** Recognises the contracts' `binary`: base64 or signed bytes. */
function isFile({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ items }) => items?.minimum === -128);
}

/** Encoding of a file, which is irrelevant to callers that pass bytes. */
const fileForms = /(\. )?Bytes: an array of integers .*$/;

function toObject({ properties = {}, required = [] }: Schema, enumerations: Enumerations): string {
  if (Object.keys(properties).length === 0) return 'Record<string, never>';
  const fields = Object.entries(properties).map(([name, schema]) => {
    const description = schema.description?.replace(fileForms, '') ?? '';
    const about = description === '' ? '' : `/** ${description} */\n`;
    return `${about}${name}${required.includes(name) ? '' : '?'}: ${toType(schema, enumerations)};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}
