import { type Html, html, prose } from '../pages/html.ts';
import { docsFrame } from './frame.ts';
import { errorsSection, guide, type Way } from './guide.ts';
import type { JsonObject } from './openapi/schemas.ts';
import { type OperationDocument, operationSection, type Placed, webhookSection } from './operation.ts';
import { operatorsPath } from './operators/operators-page.ts';
import type { Components } from './schema-table.ts';
import { webhooksGuide } from './webhooks-guide.ts';

/** Where the page offers the calls for Postman and its like. */
export const collectionFile = '/docs/rubrica.postman_collection.json';

interface Document {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationDocument>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: OperationDocument }>>;
  readonly components: { readonly schemas: Components };
}

/** The readable page of the description. */
export function renderPage(document: JsonObject, baseUrl: string): string {
  const { info, tags, paths, webhooks, components } = document as unknown as Document;
  const placed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Placed => ({ method, path, operation })),
  );
  const groups = tags
    .map(({ name, description }) => ({
      name,
      description,
      operations: placed.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter(({ operations }) => operations.length > 0);
  const context = { components: components.schemas, baseUrl };
  return docsFrame({
    title: `${info.title} API`,
    links: html`API ${info.version} · <a href="/openapi.json">OpenAPI 3.1</a> · <a href="${collectionFile}">Postman collection</a> · <a href="${operatorsPath}">Operators’ procedures</a>`,
    contents: contents(groups, Object.keys(webhooks)),
    main: html`<h1>Electronic-signature certificates, from request to delivery</h1>
<p class="lead">Register an applicant with one call. Rubrica checks the data, makes key and certificate, and sends the PKCS#12 file to your webhook.</p>
${guide(baseUrl, waysOf(groups))}
${groups.map((group) => html`<h2 id="${anchor(group.name)}">${group.name}</h2>${prose(group.description)}${group.operations.map((one) => operationSection(one, context))}`)}
<h2 id="webhooks">Webhooks</h2>
${webhooksGuide()}
${Object.entries(webhooks).map(([type, { post }]) => webhookSection(type, post, components.schemas))}
${errorsSection()}`,
  });
}

interface Group {
  readonly name: string;
  readonly description: string | undefined;
  readonly operations: readonly Placed[];
}

/** Groups that begin with a call that makes a request. */
function waysOf(groups: readonly Group[]): Way[] {
  return groups.flatMap(({ name, description, operations: [first] }) =>
    first?.operation.security?.some(({ oauth = [] }) => oauth.includes('collector:write'))
      ? [{ name, description, begins: first.operation.operationId }]
      : [],
  );
}

function contents(groups: readonly Group[], webhooks: readonly string[]): Html {
  const item = (target: string, text: string) => html`<li><a href="#${target}">${text}</a></li>`;
  return html`<ul>${item('start', 'Start here')}${item('sdk', 'With the SDK')}${item('conventions', 'Conventions')}</ul>
${groups.map(({ name, operations }) => html`<p>${name}</p><ul>${operations.map(({ operation }) => item(operation.operationId, operation.summary))}</ul>`)}
<p>Webhooks</p><ul>${item('verify-webhook', 'Verify a call')}${webhooks.map((type) => item(type, type))}</ul>
<p>Reference</p><ul>${item('errors', 'Error codes')}</ul>`;
}

function anchor(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
