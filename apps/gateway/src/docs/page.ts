import { type Html, html, prose } from '../pages/html.ts';
import { errorsSection, guide, type Way } from './guide.ts';
import type { JsonObject } from './openapi/schemas.ts';
import { type OperationDocument, operationSection, type Placed, webhookSection } from './operation.ts';
import type { Components } from './schema-table.ts';
import { style } from './style.ts';
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

/** The readable page of the description: one static document, without scripts or anything from elsewhere. */
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
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${info.title} API</title><style>${style}</style></head>
<body><a class="skip" href="#content">Skip to content</a>
<header><p class="brand">${info.title}</p><p class="quiet">API ${info.version} · <a href="/openapi.json">OpenAPI 3.1</a> · <a href="${collectionFile}">Postman collection</a></p></header>
<div class="layout">${navigation(groups, Object.keys(webhooks))}
<main id="content"><h1>Electronic-signature certificates, from request to delivery</h1>
<p class="lead">Register an applicant with one call. Rubrica checks the data, makes key and certificate, and sends the PKCS#12 file to your webhook.</p>
${guide(baseUrl, waysOf(groups))}
${groups.map((group) => html`<h2 id="${anchor(group.name)}">${group.name}</h2>${prose(group.description)}${group.operations.map((one) => operationSection(one, context))}`)}
<h2 id="webhooks">Webhooks</h2>
${webhooksGuide()}
${Object.entries(webhooks).map(([type, { post }]) => webhookSection(type, post, components.schemas))}
${errorsSection()}</main></div></body></html>`;
  return page.text;
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

/** Twice, and only one is shown: folded on a phone, at the side of the text on a wide screen. */
function navigation(groups: readonly Group[], webhooks: readonly string[]): Html {
  const list = contents(groups, webhooks);
  return html`<nav class="folded" aria-label="Contents"><details><summary>Contents</summary>${list}</details></nav>
<nav class="beside" aria-label="Contents">${list}</nav>`;
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
