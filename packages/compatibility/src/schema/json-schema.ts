/** A value that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The keywords that `z.toJSONSchema` writes, and no others: what is not named here cannot be judged. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** Of texts with several patterns alone. */
  readonly allOf?: readonly Schema[];
  readonly not?: Schema;
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly default?: Json;
  /** The list grows from release to release, as its readers were told. */
  readonly 'x-extensible-enum'?: boolean;
}

/** They say nothing about which values there are. */
const annotations = [
  '$schema',
  '$defs',
  'id',
  'title',
  'description',
  'example',
  'examples',
  'x-extensible-enum',
] as const;

const judged = [
  '$ref',
  'type',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'contentEncoding',
  'default',
] as const satisfies readonly (keyof Schema)[];

const isAnnotation = new Set<string>(annotations);
const isJudged = new Set<string>(judged);

/** The keywords of a schema that bear on its values. */
export function keywordsOf(schema: Schema): string[] {
  return Object.keys(schema).filter((name) => !isAnnotation.has(name) && name !== 'default');
}

export function unjudgedKeywordsOf(schema: Schema): string[] {
  return keywordsOf(schema).filter((name) => !isJudged.has(name));
}

/** It takes whatever there is. */
export function isAnything(schema: Schema): boolean {
  return keywordsOf(schema).length === 0;
}

/** `z.never()`: there is no such value. */
export function isNothing({ not }: Schema): boolean {
  return not !== undefined && isAnything(not);
}

/**
 * What a reference within `root` means, however long the chain.
 *
 * @returns undefined where it leads nowhere or to itself, or where something beside it narrows what it means
 */
export function resolve(schema: Schema, root: Json): Schema | undefined {
  const seen = new Set<string>();
  let here: Schema | undefined = schema;
  while (here?.$ref !== undefined) {
    if (seen.has(here.$ref) || keywordsOf(here).length > 1) return undefined;
    seen.add(here.$ref);
    here = pointed(here.$ref, root);
  }
  return here;
}

function pointed(reference: string, root: Json): Schema | undefined {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference.split('/').slice(1);
  let here: Json | undefined = root;
  for (const step of steps) {
    if (typeof here !== 'object' || here === null) return undefined;
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    here = (here as Readonly<Record<string, Json>>)[name];
  }
  return here as Schema | undefined;
}
