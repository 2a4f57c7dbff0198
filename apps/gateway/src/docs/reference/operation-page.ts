import type { Json, JsonObject } from '@rubrica/openapi/json';
import type { Language } from '../../context.ts';
import { type Html, html, inline, prose } from '../../pages/html.ts';
import { codes } from '../markdown/code.ts';
import type { SampleCall } from '../samples/sample.ts';
import { samplesOf } from '../samples/samples.ts';
import { words } from '../site/words.ts';
import type { DescribedDocument, MediaContent, OperationDocument, Parameter, Placed } from './document.ts';
import { operationText, spanishEndHeaders, spanishHeaders } from './operation-texts.ts';
import { schemaTable, type TableContext } from './schema-table.ts';
import { tryForm } from './try-form.ts';

export interface ReferenceContext {
  readonly components: DescribedDocument['components'];
  readonly baseUrl: string;
  readonly language: Language;
  /** Whether calls may be tried from the page. */
  readonly isSandbox: boolean;
}

export interface OperationPage {
  readonly title: string;
  readonly description: string;
  readonly main: Html;
}

/** One operation: what it is for, what to send, what comes back, a call to copy, and one to try. */
export function operationPage(placed: Placed, context: ReferenceContext): OperationPage {
  const { method, path, operation } = placed;
  const { language, isSandbox } = context;
  const text = words[language];
  const { summary, description } = operationText(operation, language);
  const call = sampleCall(placed, context.baseUrl);
  const main = html`<h1>${summary}</h1>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${endOf(operation, language)}${prose(description)}${accessOf(operation, language)}
<h2 id="example">${text.example}</h2>${codes(samplesOf(call))}
${isSandbox && !call.isBinary && tryForm(call, { path, language })}
${parametersOf(operation, context)}${bodyOf(operation, context)}${answerOf(operation, context)}
<h2 id="errors">${text.errors}</h2>${errorsOf(operation, language)}`;
  return { title: summary, description: description ?? summary, main };
}

function endOf({ 'x-deprecation': end }: OperationDocument, language: Language): Html {
  if (end === undefined) return html``;
  const text = words[language];
  return html`<p class="note">${text.deprecated(end.since, end.sunset)} <a href="${end.link}">${text.inItsPlace}</a>.</p>`;
}

function accessOf({ security = [] }: OperationDocument, language: Language): Html {
  const text = words[language];
  const scope = security.flatMap(({ oauth }) => oauth ?? [])[0];
  if (scope !== undefined)
    return html`<p class="access">${text.scope} <a href="/docs/${language}/authentication#scopes"><code>${scope}</code></a>.</p>`;
  return html`<p class="access">${security.length === 0 ? text.open : text.clientOnly}</p>`;
}

function parametersOf({ operationId, parameters = [] }: OperationDocument, context: ReferenceContext): Html {
  const shown = parameters.filter((parameter) => parameter.in !== 'header');
  const text = words[context.language];
  if (shown.length === 0) return html``;
  const table = schemaTable(asSchema(shown), {
    ...tableContext(context),
    owner: operationId,
    anchor: 'query',
  });
  const heading = shown.some((parameter) => parameter.in === 'query') ? text.query : text.address;
  return html`<h2 id="query">${heading}</h2>${table}`;
}

function asSchema(parameters: readonly Parameter[]) {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [
      name,
      description === undefined ? schema : { ...schema, description },
    ]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return { type: 'object', properties, required };
}

function bodyOf({ operationId, requestBody }: OperationDocument, context: ReferenceContext): Html {
  const [mediaType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (body === undefined) return html``;
  const text = words[context.language];
  const size = /\d+ [KM]iB/.exec(requestBody?.description ?? '')?.[0];
  const limit = size === undefined ? '' : `, ${text.atMost} ${size}`;
  return html`<h2 id="body">${text.body} <span class="quiet">${mediaType}${limit}</span></h2>
${schemaTable(body.schema, { ...tableContext(context), owner: operationId, anchor: 'body' })}${otherBodies(body, text.otherBody)}`;
}

/** Beyond the body that the call to copy has. */
function otherBodies({ examples = {} }: MediaContent, label: string): Html[] {
  return Object.values(examples)
    .slice(1)
    .map(({ summary, value }) => folded(`${label}: ${summary}`, value));
}

function answerOf(operation: OperationDocument, context: ReferenceContext): Html {
  const { content, headers = {} } = operation.responses['200'] ?? {};
  const [answer] = Object.values(content ?? {});
  if (answer === undefined) return html``;
  const text = words[context.language];
  const rows = Object.entries(headers).map(
    ([name, { $ref }]) =>
      html`<tr><td><code class="field">${name}</code></td><td>${inline(headerText($ref, context))}</td></tr>`,
  );
  const table = schemaTable(answer.schema, {
    ...tableContext(context),
    owner: operation.operationId,
    anchor: 'answer',
    direction: 'answer',
  });
  return html`<h2 id="answer">${text.answer} <span class="quiet">200</span></h2>
${table}${answer.example !== undefined && folded(text.answerExample, answer.example)}
<h3>${text.answerHeaders}</h3><div class="table"><table class="headers"><tbody>${rows}</tbody></table></div>`;
}

function tableContext({ components, language }: ReferenceContext): Omit<TableContext, 'owner' | 'anchor'> {
  return { components: components.schemas, language, direction: 'sent' };
}

function headerText(reference: string, { components, language }: ReferenceContext): string {
  const id = reference.split('/').at(-1) ?? '';
  return (
    (language === 'es'
      ? (spanishHeaders[id] ?? spanishEndHeaders[id])
      : components.headers[id]?.description) ?? ''
  );
}

function errorsOf({ responses }: OperationDocument, language: Language): Html {
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

function folded(summary: string, value: Json): Html {
  const code = codes([{ language: 'json', text: JSON.stringify(value, null, 2) }]);
  return html`<details class="example"><summary>${summary}</summary>${code}</details>`;
}

function sampleCall({ method, path, operation }: Placed, baseUrl: string): SampleCall {
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const [body] = Object.values(content?.examples ?? {}).map(({ value }) => value as JsonObject);
  const { security = [], parameters = [], operationId } = operation;
  const given = parameters.flatMap(({ name, in: place, example }) =>
    place === 'query' && example !== undefined ? [[name, example] as const] : [],
  );
  const url = parameters
    .filter((one) => one.in === 'path')
    .reduce((text, { name, example = '' }) => text.replace(`{${name}}`, encodeURIComponent(example)), path);
  const [answer = ''] = Object.keys(operation.responses['200']?.content ?? {});
  const isToken = security.some(({ oauth }) => oauth !== undefined);
  const access = isToken ? 'token' : security.length > 0 ? 'client' : 'none';
  const query = Object.fromEntries(given);
  const params = Object.fromEntries(
    parameters.flatMap(({ name, in: place, example = '' }) => (place === 'path' ? [[name, example]] : [])),
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
