import { type Html, html, inline } from '../pages/html.ts';
import type { JsonObject } from './openapi/schemas.ts';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly examples?: readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  /** Alternatives with the same meaning: the first is shown. */
  readonly oneOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export type Components = Readonly<Record<string, JsonObject>>;

/** Requests show which fields are required, answers which may be missing. */
type Direction = 'sent' | 'answer';

/** The fields of an object, one row each; fields of objects in lists follow under their parent. */
export function schemaTable(schema: Schema, components: Components, direction: Direction = 'sent'): Html {
  const shown = resolve(schema, components);
  const rows = shown.items
    ? rowsOf(resolve(shown.items, components), { components, direction, prefix: '[].' })
    : rowsOf(shown, { components, direction, prefix: '' });
  return html`<div class="table"><table class="fields">
<thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

interface Place {
  readonly components: Components;
  readonly direction: Direction;
  readonly prefix: string;
}

function rowsOf(schema: Schema, place: Place): Html[] {
  const { components, direction, prefix } = place;
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const mark = markOf(schema.required?.includes(name) === true, direction);
    const inner = innerObject(child, components);
    const row = html`<tr><td><code class="field">${prefix}${name}</code>${mark}</td>
<td>${typeOf(child, components)}</td><td>${meaningOf(child)}</td></tr>`;
    if (inner === undefined) return [row];
    return [row, ...rowsOf(inner.schema, { ...place, prefix: `${prefix}${name}${inner.suffix}.` })];
  });
}

function markOf(required: boolean, direction: Direction): Html {
  if (direction === 'sent') return required ? html` <span class="required">required</span>` : html``;
  return required ? html`` : html` <span class="quiet">not always</span>`;
}

function innerObject(schema: Schema, components: Components): { schema: Schema; suffix: string } | undefined {
  const list = schema.items && resolve(schema.items, components);
  if (list?.properties) return { schema: list, suffix: '[]' };
  const own = resolve(withoutNull(schema), components);
  return own.properties && { schema: own, suffix: '' };
}

function typeOf(schema: Schema, components: Components): Html {
  const shown = withoutNull(schema);
  const nullable = shown !== schema && html` <span class="quiet">or null</span>`;
  return html`${inline(typeName(resolve(shown, components), components))}${nullable}`;
}

function typeName(schema: Schema, components: Components): string {
  if (schema.anyOf)
    return [...new Set(schema.anyOf.map((one) => typeName(resolve(one, components), components)))].join(
      ' or ',
    );
  if (schema.type === 'array')
    return `list of ${schema.items ? typeName(resolve(schema.items, components), components) : 'values'}`;
  if (schema.format === 'uuid') return 'UUID';
  if (schema.format === 'email') return 'e-mail';
  if (schema.format === 'uri') return 'URL';
  const names = [schema.type ?? 'any'].flat();
  return names.map((name) => (name === 'string' ? 'text' : name)).join(' or ');
}

const manyValues = 12;

function meaningOf(schema: Schema): Html {
  const shown = withoutNull(schema);
  const values = shown.enum ?? (shown.const === undefined ? [] : [shown.const]);
  const list: Html | Html[] =
    values.length > manyValues
      ? html` <a href="#errors">one of the codes below</a>`
      : values.map((value, index) => html`${index > 0 && ' '}<code>${value}</code>`);
  return html`${inline(shown.description ?? schema.description ?? '')}${limitsOf(shown)} ${list}`;
}

function limitsOf({ minLength = 0, maxLength, minItems, maxItems }: Schema): Html {
  if (maxItems !== undefined) return html` <span class="quiet">${minItems ?? 0} to ${maxItems} items</span>`;
  if (maxLength === undefined) return html``;
  const text = minLength > 1 ? `${minLength} to ${maxLength} characters` : `up to ${maxLength} characters`;
  return html` <span class="quiet">${text}</span>`;
}

function withoutNull(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 && others[0] ? others[0] : schema;
}

function resolve(schema: Schema, components: Components): Schema {
  const [first] = schema.oneOf ?? [];
  if (first) return resolve(first, components);
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : ((components[name] ?? {}) as Schema);
}
