import { codeBlock, type Html, html, inline, prose } from '../pages/html.ts';
import type { Json } from './openapi/schemas.ts';
import { type Components, type Schema, schemaTable } from './schema-table.ts';

export interface MediaContent {
  readonly schema: Schema;
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: Json }>>;
}
type Content = Readonly<Record<string, MediaContent>>;

export interface OperationDocument {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Schema;
    example?: string;
  }[];
  readonly requestBody?: { readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationDocument;
}

interface PageContext {
  readonly components: Components;
  readonly baseUrl: string;
}

/** One operation: what it is for, what to send, what comes back, and a call to copy. */
export function operationSection({ method, path, operation }: Placed, context: PageContext): Html {
  const { operationId, summary, description, requestBody } = operation;
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
  const [mediaType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const success = Object.values(operation.responses['200']?.content ?? {})[0];
  return html`<section class="operation" id="${operationId}">
<h3>${summary}</h3>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${prose(description)}${accessOf(operation)}
${parameters.length > 0 && html`<h4>${parameters.some((parameter) => parameter.in === 'query') ? 'Query' : 'Address'}</h4>${parametersTable(parameters, context.components)}`}
${body && html`<h4>Body <span class="quiet">${mediaType}, ${lowerFirst(requestBody?.description ?? '')}</span></h4>${schemaTable(body.schema, context.components)}`}
<h4>Example</h4>${codeBlock(curlOf({ method, path, operation }, context.baseUrl))}
${body && otherBodies(body)}
${success && html`<h4>Answer <span class="quiet">200</span></h4>${schemaTable(success.schema, context.components, 'answer')}${answerExample(success)}`}
<h4>Errors</h4>${errorsOf(operation)}
</section>`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function accessOf({ security = [] }: OperationDocument): Html {
  const scope = security.flatMap(({ oauth }) => oauth ?? [])[0];
  if (scope !== undefined)
    return html`<p class="access">Needs a token with the scope <code>${scope}</code>.</p>`;
  return security.length === 0
    ? html`<p class="access">Open to all, no token.</p>`
    : html`<p class="access">The client authenticates by HTTP Basic or in the body.</p>`;
}

function parametersTable(
  parameters: NonNullable<OperationDocument['parameters']>,
  components: Components,
): Html {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [
      name,
      description === undefined ? schema : { ...schema, description },
    ]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return schemaTable({ type: 'object', properties, required }, components);
}

function errorsOf({ responses }: OperationDocument): Html {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => {
      const [reason = '', ...codes] = description.split('\n\n');
      const links = codes
        .map((line) => /^`([A-Z0-9_]+)`/.exec(line)?.[1] ?? '')
        .map((code) => html`<a href="#${code}"><code>${code}</code></a> `);
      return html`<tr><td><b>${status}</b> <span class="quiet">${reason}</span></td><td>${links}</td></tr>`;
    });
  return html`<div class="table"><table class="errors"><tbody>${rows}</tbody></table></div>`;
}

/** Beyond the body that the call to copy has. */
function otherBodies({ examples = {} }: MediaContent): Html {
  return html`${Object.values(examples)
    .slice(1)
    .map(({ summary, value }) => folded(`Body: ${lowerFirst(summary)}`, value))}`;
}

function answerExample({ example }: MediaContent): Html {
  return example === undefined ? html`` : folded('Answer, for example', example);
}

function folded(summary: string, value: Json): Html {
  return html`<details class="example"><summary>${summary}</summary>${codeBlock(JSON.stringify(value, null, 2))}</details>`;
}

function curlOf({ method, path, operation }: Placed, baseUrl: string): string {
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const [body] = Object.values(content?.examples ?? {}).map(({ value }) => value);
  const address = `${baseUrl}${path}${queryOf(operation)}`;
  const lines = [`${callOf(method)} '${address}'`];
  if (operation.security?.some(({ oauth }) => oauth)) lines.push(`-H "Authorization: Bearer $TOKEN"`);
  if (mediaType === 'application/x-www-form-urlencoded') {
    lines.push(
      `-u "$CLIENT_ID:$CLIENT_SECRET"`,
      ...Object.entries((body ?? {}) as object).map(([name, one]) => `-d '${name}=${one}'`),
    );
  } else if (content && body === undefined) {
    lines.push(`-H 'Content-Type: ${mediaType}'`, '--data-binary @request.der');
  } else if (content) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body, null, 2)}'`);
  }
  return lines.join(' \\\n  ');
}

/** What is asked for shows its headers: `ETag` and `Retry-After` are of use there. */
function callOf(method: string): string {
  if (method === 'get') return 'curl -i';
  return method === 'post' ? 'curl' : `curl -X ${method.toUpperCase()}`;
}

function queryOf({ parameters = [] }: OperationDocument): string {
  const given = parameters.flatMap(({ name, in: place, example }) =>
    place === 'query' && example !== undefined ? [[name, example] as [string, string]] : [],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

export function webhookSection(type: string, operation: OperationDocument, components: Components): Html {
  const body = Object.values(operation.requestBody?.content ?? {})[0];
  return html`<section class="operation" id="${type}">
<h3><code>${type}</code></h3><p>${inline(operation.summary)}.</p>${prose(operation.description)}
${body && schemaTable(body.schema, components, 'answer')}</section>`;
}
