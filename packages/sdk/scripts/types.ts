import { z } from 'zod';

/** Enumerations that deserve a name of their own: where a schema lists the same values, the name is meant. */
export type Enumerations = Readonly<Record<string, readonly string[]>>;

/** As much of JSON Schema as the contracts make use of. */
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
  /** The TypeScript of a schema: its name where it has one. */
  use(schema: z.ZodType, io: 'input' | 'output'): string;
  /** Every named type that was used. */
  declarations(): string[];
}

export function collectTypes(enumerations: Enumerations): Types {
  const named = new Map<string, string>();
  const declare = (id: string, schema: Schema) => {
    const name = nameOf(id);
    const text = declarationOf(name, schema, enumerations);
    if ((named.get(name) ?? text) !== text)
      throw new Error(`${name} is sent in one form and answered in another`);
    named.set(name, text);
  };
  return {
    use(schema, io) {
      const { $defs = {}, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
      for (const [name, definition] of Object.entries($defs)) declare(name, definition);
      const name = schema.meta()?.id;
      if (typeof name !== 'string') return typeOf(own, enumerations);
      if (own.$ref === undefined) declare(name, own);
      return nameOf(name);
    },
    declarations() {
      const listed = Object.entries(enumerations).map(
        ([name, values]) => [name, `export type ${name} = ${literals(values)};`] as const,
      );
      return [...listed, ...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    },
  };
}

/** `Error` is JavaScript's own. */
const nameOf = (id: string) => (id === 'Error' ? 'ErrorObject' : id);

function declarationOf(name: string, schema: Schema, enumerations: Enumerations): string {
  return schema.properties === undefined
    ? `export type ${name} = ${typeOf(schema, enumerations)};`
    : `export interface ${name} ${typeOf(schema, enumerations)}`;
}

function typeOf(schema: Schema, enumerations: Enumerations): string {
  const inner = (one: Schema) => typeOf(one, enumerations);
  if (schema.$ref !== undefined) return nameOf(schema.$ref.replace('#/$defs/', ''));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return enumerationOf(schema.enum, enumerations);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return isFile(schema) ? 'FileContent' : choices.map(inner).join(' | ');
  if (schema.properties !== undefined) return objectOf(schema, enumerations);
  if (schema.items !== undefined) return `Array<${inner(schema.items)}>`;
  if (schema.propertyNames !== undefined) return recordOf(schema, enumerations);
  // Of anything that is JSON.
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

function recordOf(schema: Schema, enumerations: Enumerations): string {
  const { propertyNames = {}, additionalProperties, required } = schema;
  const value =
    typeof additionalProperties === 'object' ? typeOf(additionalProperties, enumerations) : 'unknown';
  const record = `Record<${typeOf(propertyNames, enumerations)}, ${value}>`;
  return propertyNames.enum !== undefined && required === undefined ? `Partial<${record}>` : record;
}

function enumerationOf(values: readonly unknown[], enumerations: Enumerations): string {
  const same = ([, known]: [string, readonly string[]]) => JSON.stringify(known) === JSON.stringify(values);
  return Object.entries(enumerations).find(same)?.[0] ?? literals(values);
}

function literals(values: readonly unknown[]): string {
  return values.map((one) => JSON.stringify(one)).join(' | ');
}

/** The contracts' `binary`: base64 or signed bytes. */
function isFile({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ items }) => items?.minimum === -128);
}

/** How a file travels is of no interest to who gives bytes. */
const fileForms = /(\. )?Bytes: an array of integers .*$/;

function objectOf({ properties = {}, required = [] }: Schema, enumerations: Enumerations): string {
  if (Object.keys(properties).length === 0) return 'Record<string, never>';
  const fields = Object.entries(properties).map(([name, schema]) => {
    const words = schema.description?.replace(fileForms, '') ?? '';
    const about = words === '' ? '' : `/** ${words} */\n`;
    return `${about}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, enumerations)};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}
