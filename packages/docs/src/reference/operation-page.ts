import { type Html, html } from '@rubrica/html';
import type { Json, JsonObject } from '@rubrica/openapi/json';
import { labels } from '../content/labels.ts';
import { readOperationText, spanishEndHeaders, spanishHeaders } from '../content/spanish-operations.ts';
import type { Language } from '../language.ts';
import { renderCodes } from '../markdown/code.ts';
import type { Markdown } from '../markdown/create-markdown.ts';
import type { MediaContent, OpenApiDocument, Operation, Parameter, Route } from '../openapi-document.ts';
import type { SampleCall } from '../samples/sample.ts';
import { writeSamples } from '../samples/samples.ts';
import type { SitePage } from '../site-page.ts';
import { renderSchemaTable, type TableContext } from './schema-table.ts';
import { renderTryForm } from './try-form.ts';

export interface ReferenceContext {
  readonly components: OpenApiDocument['components'];
  readonly baseUrl: string;
  readonly language: Language;
  readonly markdown: Markdown;
  /** Allows calls from the page. */
  readonly isSandbox: boolean;
}

/** Renders one operation: purpose, call to copy and to try, fields to send, answer, errors. */
export function renderOperationPage(route: Route, context: ReferenceContext): SitePage {
  const { method, path, operation } = route;
  const { language, markdown, isSandbox } = context;
  const text = labels[language];
  const { summary, description } = readOperationText(operation, language);
  const call = createSampleCall(route, context.baseUrl);
  const main = html`<h1>${summary}</h1>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${renderDeprecation(operation, language)}${description !== undefined && markdown.render(description)}${renderAccess(operation, language)}
<h2 id="example">${text.example}</h2>${renderCodes(writeSamples(call))}
${isSandbox && !call.isBinary && renderTryForm(call, { path, language })}
${renderParameters(operation, context)}${renderBody(operation, context)}${renderAnswer(operation, context)}
<h2 id="errors">${text.errors}</h2>${renderErrors(operation, language)}`;
  return { title: summary, description: description ?? summary, main };
}

function renderDeprecation({ 'x-deprecation': end }: Operation, language: Language): Html {
  if (end === undefined) return html``;
  const text = labels[language];
  return html`<p class="note">${text.deprecated(end.since, end.sunset)} <a href="${end.link}">${text.inItsPlace}</a>.</p>`;
}

function renderAccess({ security = [] }: Operation, language: Language): Html {
  const text = labels[language];
  const scope = security.flatMap(({ oauth }) => oauth ?? [])[0];
  if (scope !== undefined)
    return html`<p class="access">${text.scope} <a href="/docs/${language}/authentication#scopes"><code>${scope}</code></a>.</p>`;
  return html`<p class="access">${security.length === 0 ? text.open : text.clientOnly}</p>`;
}

function renderParameters({ operationId, parameters = [] }: Operation, context: ReferenceContext): Html {
  const shown = parameters.filter((parameter) => parameter.in !== 'header');
  const text = labels[context.language];
  if (shown.length === 0) return html``;
  const table = renderSchemaTable(toSchema(shown), {
    ...toTableContext(context),
    owner: operationId,
    anchor: 'query',
  });
  const heading = shown.some((parameter) => parameter.in === 'query') ? text.query : text.address;
  return html`<h2 id="query">${heading}</h2>${table}`;
}

function toSchema(parameters: readonly Parameter[]) {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [
      name,
      description === undefined ? schema : { ...schema, description },
    ]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return { type: 'object', properties, required };
}

function renderBody({ operationId, requestBody }: Operation, context: ReferenceContext): Html {
  const [mediaType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (body === undefined) return html``;
  const text = labels[context.language];
  const size = /\d+ [KM]iB/.exec(requestBody?.description ?? '')?.[0];
  const limit = size === undefined ? '' : `, ${text.atMost} ${size}`;
  return html`<h2 id="body">${text.body} <span class="quiet">${mediaType}${limit}</span></h2>
${renderSchemaTable(body.schema, { ...toTableContext(context), owner: operationId, anchor: 'body' })}${renderOtherBodies(body, text.otherBody)}`;
}

/** Renders the bodies that the call to copy does not show. */
function renderOtherBodies({ examples = {} }: MediaContent, label: string): Html[] {
  return Object.values(examples)
    .slice(1)
    .map(({ summary, value }) => renderFolded(`${label}: ${summary}`, value));
}

function renderAnswer(operation: Operation, context: ReferenceContext): Html {
  const { content, headers = {} } = operation.responses['200'] ?? {};
  const [answer] = Object.values(content ?? {});
  if (answer === undefined) return html``;
  const text = labels[context.language];
  const rows = Object.entries(headers).map(
    ([name, { $ref }]) =>
      html`<tr><td><code class="field">${name}</code></td><td>${context.markdown.renderInline(readHeaderText($ref, context))}</td></tr>`,
  );
  const table = renderSchemaTable(answer.schema, {
    ...toTableContext(context),
    owner: operation.operationId,
    anchor: 'answer',
    direction: 'answer',
  });
  return html`<h2 id="answer">${text.answer} <span class="quiet">200</span></h2>
${table}${answer.example !== undefined && renderFolded(text.answerExample, answer.example)}
<h3>${text.answerHeaders}</h3><div class="table"><table class="headers"><tbody>${rows}</tbody></table></div>`;
}

function toTableContext({
  components,
  language,
  markdown,
}: ReferenceContext): Omit<TableContext, 'owner' | 'anchor'> {
  return { components: components.schemas, language, markdown, direction: 'sent' };
}

function readHeaderText(reference: string, { components, language }: ReferenceContext): string {
  const id = reference.split('/').at(-1) ?? '';
  return (
    (language === 'es'
      ? (spanishHeaders[id] ?? spanishEndHeaders[id])
      : components.headers[id]?.description) ?? ''
  );
}

function renderErrors({ responses }: Operation, language: Language): Html {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => {
      const [reason = '', ...codesOfStatus] = description.split('\n\n');
      const links = codesOfStatus
        .map((line) => /^`([A-Z0-9_]+)`/.exec(line)?.[1] ?? '')
        .map((code) => html`<a href="/docs/${language}/errors#${code}"><code>${code}</code></a> `);
      return html`<tr><td><b>${status}</b> <span class="quiet">${reason}</span></td><td>${links}</td></tr>`;
    });
  return html`<div class="table"><table class="errors"><tbody>${rows}</tbody></table></div>`;
}

function renderFolded(summary: string, value: Json): Html {
  const code = renderCodes([{ language: 'json', text: JSON.stringify(value, null, 2) }]);
  return html`<details class="example"><summary>${summary}</summary>${code}</details>`;
}

function createSampleCall({ method, path, operation }: Route, baseUrl: string): SampleCall {
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const [body] = Object.values(content?.examples ?? {}).map(({ value }) => value as JsonObject);
  const { security = [], parameters = [], operationId } = operation;
  const given = parameters.flatMap(({ name, in: location, example }) =>
    location === 'query' && example !== undefined ? [[name, example] as const] : [],
  );
  const url = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example = '' }) => text.replace(`{${name}}`, encodeURIComponent(example)), path);
  const [answer = ''] = Object.keys(operation.responses['200']?.content ?? {});
  const isToken = security.some(({ oauth }) => oauth !== undefined);
  const access = isToken ? 'token' : security.length > 0 ? 'client' : 'none';
  const query = Object.fromEntries(given);
  const params = Object.fromEntries(
    parameters.flatMap(({ name, in: location, example = '' }) =>
      location === 'path' ? [[name, example]] : [],
    ),
  );
  return {
    operationId,
    method: method.toUpperCase(),
    url: baseUrl + url,
    params,
    query,
    access,
    mediaType,
    body,
    isBinary: answer !== 'application/json' && answer !== 'application/x-ndjson',
  };
}
