/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Exactly the keywords that `z.toJSONSchema` writes; others cannot be compared. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** Only of texts with several patterns. */
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
  /** True for lists that grow from release to release, as documented for their readers. */
  readonly 'x-extensible-enum'?: boolean;
}

/** Keywords that do not limit the values. */
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

/** Lists the keywords of a schema that limit its values. */
export function listKeywords(schema: Schema): string[] {
  return Object.keys(schema).filter((name) => !isAnnotation.has(name) && name !== 'default');
}

export function listUnjudgedKeywords(schema: Schema): string[] {
  return listKeywords(schema).filter((name) => !isJudged.has(name));
}

/** Checks if the schema accepts every value. */
export function isAnything(schema: Schema): boolean {
  return listKeywords(schema).length === 0;
}

/** Checks for `z.never()`, which accepts no value. */
export function isNothing({ not }: Schema): boolean {
  return not !== undefined && isAnything(not);
}

/**
 * Resolves a reference within `root`, through a chain of any length.
 *
 * @returns undefined if it leads nowhere or to itself, or if a keyword beside it narrows the result
 */
export function resolve(schema: Schema, root: Json): Schema | undefined {
  const seen = new Set<string>();
  let here: Schema | undefined = schema;
  while (here?.$ref !== undefined) {
    if (seen.has(here.$ref) || listKeywords(here).length > 1) return undefined;
    seen.add(here.$ref);
    here = findTarget(here.$ref, root);
  }
  return here;
}

function findTarget(reference: string, root: Json): Schema | undefined {
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
