import { findMeaning } from '@rubrica/openapi/field-meanings';
import type { JsonObject } from '@rubrica/openapi/json';
import type { Language } from '../../context.ts';
import { type Html, html, inline } from '../../pages/html.ts';
import { words } from '../site/words.ts';

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

export interface TableContext {
  readonly components: Components;
  readonly language: Language;
  /** Requests show which fields are required, answers which may be missing. */
  readonly direction: 'sent' | 'answer';
  /** What has the fields: a schema or an operation. Their meanings come from the table then, which differs by owner. */
  readonly owner?: string;
  /** What each row's id begins with; none where rows are no targets. */
  readonly anchor?: string;
}

/** The fields of an object, one row each; fields of objects in lists follow under their parent. */
export function schemaTable(schema: Schema, context: TableContext): Html {
  const shown = resolve(schema, context.components);
  const owner = context.owner !== undefined && { owner: nameOf(schema) ?? context.owner };
  const rows = shown.items
    ? rowsOf(resolve(shown.items, context.components), { ...context, ...owner, prefix: '[].' })
    : rowsOf(shown, { ...context, ...owner, prefix: '' });
  const text = words[context.language];
  return html`<div class="table"><table class="fields">
<thead><tr><th>${text.field}</th><th>${text.type}</th><th>${text.meaning}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

interface Place extends TableContext {
  readonly prefix: string;
}

function rowsOf(schema: Schema, place: Place): Html[] {
  const { components, prefix, anchor } = place;
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const isRequired = schema.required?.includes(name) === true;
    const inner = innerObject(child, components);
    const id = anchor !== undefined && html` id="${anchor}.${prefix}${name}"`;
    const row = html`<tr${id}><td><code class="field">${prefix}${name}</code>${markOf(isRequired, place)}</td>
<td>${typeOf(child, place)}</td><td>${meaningOf(child, { ...place, field: name })}</td></tr>`;
    if (inner === undefined) return [row];
    const innerPrefix = `${prefix}${name}${inner.suffix}.`;
    const innerPlace = {
      ...place,
      prefix: innerPrefix,
      ...(place.owner !== undefined && { owner: nameOf(child.items ?? child) ?? name }),
    };
    return [row, ...rowsOf(inner.schema, innerPlace)];
  });
}

function markOf(required: boolean, { direction, language }: Place): Html {
  const text = words[language];
  if (direction === 'sent') return required ? html` <span class="required">${text.required}</span>` : html``;
  return required ? html`` : html` <span class="quiet">${text.notAlways}</span>`;
}

function innerObject(schema: Schema, components: Components): { schema: Schema; suffix: string } | undefined {
  const list = schema.items && resolve(schema.items, components);
  if (list?.properties) return { schema: list, suffix: '[]' };
  const own = resolve(withoutNull(schema), components);
  return own.properties && { schema: own, suffix: '' };
}

function typeOf(schema: Schema, { components, language }: TableContext): Html {
  const shown = withoutNull(schema);
  const nullable = shown !== schema && html` <span class="quiet">${words[language].orNull}</span>`;
  return html`${inline(typeName(resolve(shown, components), { components, language }))}${nullable}`;
}

function typeName(schema: Schema, context: Pick<TableContext, 'components' | 'language'>): string {
  const { components, language } = context;
  const text = words[language];
  if (schema.anyOf)
    return [...new Set(schema.anyOf.map((one) => typeName(resolve(one, components), context)))].join(text.or);
  if (schema.type === 'array')
    return `${text.listOf} ${typeName(schema.items ? resolve(schema.items, components) : {}, context)}`;
  const names = [schema.format ?? '', ...[schema.type ?? 'any'].flat()];
  const [formatted] = names.filter((name) => ['uuid', 'email', 'uri'].includes(name));
  const shown = formatted === undefined ? names.slice(1) : [formatted];
  return shown.map((name) => text.types[name] ?? name).join(text.or);
}

const manyValues = 12;

function meaningOf(schema: Schema, { language, owner, field }: TableContext & { field: string }): Html {
  const shown = withoutNull(schema);
  const values = shown.enum ?? (shown.const === undefined ? [] : [shown.const]);
  const list: Html | Html[] =
    values.length > manyValues
      ? html` <a href="/docs/${language}/errors">${words[language].oneOfTheCodes}</a>`
      : values.map((value, index) => html`${index > 0 && ' '}<code>${value}</code>`);
  const own = shown.description ?? schema.description;
  const text = owner === undefined ? own : findMeaning({ owner, field, own }, language);
  return html`${inline(text ?? '')}${limitsOf(shown, language)} ${list}`;
}

function limitsOf({ minLength = 0, maxLength, minItems, maxItems }: Schema, language: Language): Html {
  const text = words[language];
  if (maxItems !== undefined) return html` <span class="quiet">${text.items(minItems ?? 0, maxItems)}</span>`;
  if (maxLength === undefined) return html``;
  return html` <span class="quiet">${text.characters(minLength, maxLength)}</span>`;
}

function withoutNull(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 && others[0] ? others[0] : schema;
}

function nameOf(schema: Schema): string | undefined {
  return schema.$ref?.split('/').at(-1);
}

function resolve(schema: Schema, components: Components): Schema {
  const [first] = schema.oneOf ?? (schema.anyOf?.every(({ $ref }) => $ref !== undefined) ? schema.anyOf : []);
  if (first) return resolve(first, components);
  const name = nameOf(schema);
  return name === undefined ? schema : ((components[name] ?? {}) as Schema);
}
