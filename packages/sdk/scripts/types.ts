import { nextSteps } from '@rubrica/contracts/rest/api-flow';
import {
  applicationTypes,
  certificateStatuses,
  certificateTypes,
  families,
  periods,
  statuses,
  validationStatuses,
} from '@rubrica/contracts/shared/enumerations';
import { z } from 'zod';

/** Enumerations that deserve a name of their own: where a schema lists the same values, the name is meant. */
const enumerations: Readonly<Record<string, readonly string[]>> = {
  ApplicationType: applicationTypes,
  CertificateStatus: certificateStatuses,
  CertificateType: certificateTypes,
  Family: families,
  NextStep: nextSteps,
  Period: periods,
  Status: statuses,
  ValidationStatus: validationStatuses,
};

/** As much of JSON Schema as the contracts make use of. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
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

export function collectTypes(): Types {
  const named = new Map<string, string>();
  const declare = (id: string, schema: Schema) => {
    const name = nameOf(id);
    const text = declarationOf(name, schema);
    if ((named.get(name) ?? text) !== text)
      throw new Error(`${name} is sent in one form and answered in another`);
    named.set(name, text);
  };
  return {
    use(schema, io) {
      const { $defs = {}, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
      for (const [name, definition] of Object.entries($defs)) declare(name, definition);
      const name = schema.meta()?.id;
      if (typeof name !== 'string') return typeOf(own);
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

function declarationOf(name: string, schema: Schema): string {
  return schema.properties === undefined
    ? `export type ${name} = ${typeOf(schema)};`
    : `export interface ${name} ${typeOf(schema)}`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.replace('#/$defs/', ''));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return enumerationOf(schema.enum);
  if (schema.anyOf !== undefined)
    return isFile(schema) ? 'FileContent' : schema.anyOf.map(typeOf).join(' | ');
  if (schema.properties !== undefined) return objectOf(schema);
  if (schema.items !== undefined) return `Array<${typeOf(schema.items)}>`;
  return [schema.type ?? []].flat().map(plainType).join(' | ') || unknownType(schema);
}

function plainType(type: string): string {
  return plain[type as keyof typeof plain] ?? unknownType({ type });
}

const plain = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
} as const;

function unknownType(schema: Schema): never {
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

function enumerationOf(values: readonly unknown[]): string {
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

function objectOf({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const words = schema.description?.replace(fileForms, '') ?? '';
    const about = words === '' ? '' : `/** ${words} */\n`;
    return `${about}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}
