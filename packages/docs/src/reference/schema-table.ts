import { type Html, html } from '@rubrica/html';
import { findMeaning } from '@rubrica/openapi/field-meanings';
import { labels } from '../content/labels.ts';
import type { Language } from '../language.ts';
import type { Markdown } from '../markdown/create-markdown.ts';
import type { Components, Schema } from '../openapi-document.ts';

export interface TableContext {
  readonly components: Components;
  readonly markdown: Markdown;
  readonly language: Language;
  /** Requests show required fields; answers show fields that may be missing. */
  readonly direction: 'sent' | 'answer';
  /** Schema or operation that has the fields. With it, their meanings come from the table, which differs by owner. */
  readonly owner?: string;
  /** Prefix of each row's id. Without it rows are not link targets. */
  readonly anchor?: string;
}

/** Renders the fields of an object, one row each. Fields of an object in a list follow their parent. */
export function renderSchemaTable(schema: Schema, context: TableContext): Html {
  const shown = resolve(schema, context.components);
  const owner = context.owner !== undefined && { owner: readSchemaName(schema) ?? context.owner };
  const rows = shown.items
    ? renderRows(resolve(shown.items, context.components), { ...context, ...owner, prefix: '[].' })
    : renderRows(shown, { ...context, ...owner, prefix: '' });
  const text = labels[context.language];
  return html`<div class="table"><table class="fields">
<thead><tr><th>${text.field}</th><th>${text.type}</th><th>${text.meaning}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

interface RowContext extends TableContext {
  readonly prefix: string;
}

function renderRows(schema: Schema, context: RowContext): Html[] {
  const { components, prefix, anchor } = context;
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const isRequired = schema.required?.includes(name) === true;
    const inner = findInnerObject(child, components);
    const id = anchor !== undefined && html` id="${anchor}.${prefix}${name}"`;
    const row = html`<tr${id}><td><code class="field">${prefix}${name}</code>${renderMark(isRequired, context)}</td>
<td>${renderType(child, context)}</td><td>${renderMeaning(child, { ...context, field: name })}</td></tr>`;
    if (inner === undefined) return [row];
    const innerPrefix = `${prefix}${name}${inner.suffix}.`;
    const innerContext = {
      ...context,
      prefix: innerPrefix,
      ...(context.owner !== undefined && { owner: readSchemaName(child.items ?? child) ?? name }),
    };
    return [row, ...renderRows(inner.schema, innerContext)];
  });
}

function renderMark(required: boolean, { direction, language }: RowContext): Html {
  const text = labels[language];
  if (direction === 'sent') return required ? html` <span class="required">${text.required}</span>` : html``;
  return required ? html`` : html` <span class="quiet">${text.notAlways}</span>`;
}

function findInnerObject(
  schema: Schema,
  components: Components,
): { schema: Schema; suffix: string } | undefined {
  const list = schema.items && resolve(schema.items, components);
  if (list?.properties) return { schema: list, suffix: '[]' };
  const own = resolve(withoutNull(schema), components);
  return own.properties && { schema: own, suffix: '' };
}

function renderType(schema: Schema, { components, language }: TableContext): Html {
  const shown = withoutNull(schema);
  const nullable = shown !== schema && html` <span class="quiet">${labels[language].orNull}</span>`;
  return html`${formatType(resolve(shown, components), { components, language })}${nullable}`;
}

function formatType(schema: Schema, context: Pick<TableContext, 'components' | 'language'>): string {
  const { components, language } = context;
  const text = labels[language];
  if (schema.anyOf)
    return [...new Set(schema.anyOf.map((one) => formatType(resolve(one, components), context)))].join(
      text.or,
    );
  if (schema.type === 'array')
    return `${text.listOf} ${formatType(schema.items ? resolve(schema.items, components) : {}, context)}`;
  const names = [schema.format ?? '', ...[schema.type ?? 'any'].flat()];
  const [formatted] = names.filter((name) => ['uuid', 'email', 'uri'].includes(name));
  const shown = formatted === undefined ? names.slice(1) : [formatted];
  return shown.map((name) => text.types[name] ?? name).join(text.or);
}

const manyValues = 12;

function renderMeaning(
  schema: Schema,
  { language, markdown, owner, field }: TableContext & { readonly field: string },
): Html {
  const shown = withoutNull(schema);
  const values = shown.enum ?? (shown.const === undefined ? [] : [shown.const]);
  const list: Html | Html[] =
    values.length > manyValues
      ? html` <a href="/docs/${language}/errors">${labels[language].oneOfTheCodes}</a>`
      : values.map((value, index) => html`${index > 0 && ' '}<code>${value}</code>`);
  const own = shown.description ?? schema.description;
  const text = owner === undefined ? own : findMeaning({ owner, field, own }, language);
  return html`${markdown.renderInline(text ?? '')}${renderLimits(shown, language)} ${list}`;
}

function renderLimits({ minLength = 0, maxLength, minItems, maxItems }: Schema, language: Language): Html {
  const text = labels[language];
  if (maxItems !== undefined) return html` <span class="quiet">${text.items(minItems ?? 0, maxItems)}</span>`;
  if (maxLength === undefined) return html``;
  return html` <span class="quiet">${text.characters(minLength, maxLength)}</span>`;
}

function withoutNull(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 && others[0] ? others[0] : schema;
}

function readSchemaName(schema: Schema): string | undefined {
  return schema.$ref?.split('/').at(-1);
}

function resolve(schema: Schema, components: Components): Schema {
  const [first] = schema.oneOf ?? (schema.anyOf?.every(({ $ref }) => $ref !== undefined) ? schema.anyOf : []);
  if (first) return resolve(first, components);
  const name = readSchemaName(schema);
  return name === undefined ? schema : ((components[name] ?? {}) as Schema);
}
