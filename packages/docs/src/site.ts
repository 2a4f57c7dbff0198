import { readFileSync } from 'node:fs';
import vectors from '@rubrica/contracts/webhook-vectors.json' with { type: 'json' };
import { type Html, html } from '@rubrica/html';
import type { JsonObject } from '@rubrica/openapi/json';
import { assets } from './assets.ts';
import { labels } from './content/labels.ts';
import { pages } from './content/pages.ts';
import { type Language, languages } from './language.ts';
import { createMarkdown } from './markdown/create-markdown.ts';
import { groupRoutes, type OpenApiDocument } from './openapi-document.ts';
import { renderOperatorsPages } from './operators/operators-pages.ts';
import { writeChangeFeed } from './pages/changes.ts';
import { pageAddress, renderContents } from './pages/contents.ts';
import { renderFrame } from './pages/frame.ts';
import { writeLlmsText } from './pages/llms-text.ts';
import { readExample, renderPart } from './pages/parts.ts';
import { renderProgramsPage } from './pages/programs-page.ts';
import { buildCollection } from './postman/build-collection.ts';
import { renderOperationPage } from './reference/operation-page.ts';
import { listSearchRows } from './search/search-rows.ts';
import type { SitePage } from './site-page.ts';

export interface SiteOptions {
  readonly document: JsonObject;
  /** Origin under which partners reach the service. */
  readonly baseUrl: string;
  /** Adds a form to each operation that makes the call. */
  readonly isSandbox: boolean;
}

export type FileType = 'html' | 'css' | 'js' | 'json' | 'text' | 'svg' | 'rss';

export interface SiteFile {
  /** Path of the file, such as `/docs/en/errors`. With `?lang=` if one path has a file in each language. */
  readonly address: string;
  readonly type: FileType;
  readonly text: string;
  readonly language?: Language;
  /** Saved by browsers instead of shown. */
  readonly isDownload?: true;
}

/** Example programs, by the names that browsers save them under. */
const programs = [
  ...['verify_webhook.py', 'VerifyWebhook.java', 'rubrica.py', 'Rubrica.java'],
  ...['first-certificate.ts', 'first_certificate.py', 'FirstCertificate.java'],
];

/** Creates every file of the documentation, from the written pages and the tables that the services use. */
export function createSite(options: SiteOptions): SiteFile[] {
  const { baseUrl, document } = options;
  const english = createPages('en', options);
  const byLanguage = { en: english, es: createPages('es', options) };
  return [
    ...languages.flatMap((language) => createLanguageFiles(language, byLanguage[language], options)),
    ...renderOperatorsPages().map(({ address, text }) => page(address, text, 'en')),
    ...Object.values(assets).map(({ address, text }): SiteFile => {
      return { address, type: address.endsWith('.css') ? 'css' : 'js', text };
    }),
    {
      address: '/docs/rubrica.postman_collection.json',
      type: 'json',
      text: JSON.stringify(buildCollection(document as unknown as OpenApiDocument), null, 2),
      isDownload: true,
    },
    { address: '/docs/verify-webhook.ts', type: 'text', text: readExample('verify-webhook.ts') },
    ...programs.map((name): SiteFile => {
      return { address: `/docs/${name}`, type: 'text', text: readExample(name), isDownload: true };
    }),
    { address: '/docs/webhook-vectors.json', type: 'json', text: `${JSON.stringify(vectors, null, 2)}\n` },
    { address: '/llms.txt', type: 'text', text: writeLlmsText(english, baseUrl) },
    ...['/favicon.svg', '/favicon.ico'].map((address): SiteFile => ({ address, type: 'svg', text: favicon })),
  ];
}

const favicon = readFileSync(new URL('./assets/favicon.svg', import.meta.url), 'utf8');

function page(address: string, text: string, language: Language): SiteFile {
  return { address, type: 'html', text, language };
}

/** Creates the pages of a language by slug, in reading order: first the written ones, then the operations. */
function createPages(
  language: Language,
  { document, baseUrl, isSandbox }: SiteOptions,
): ReadonlyMap<string, SitePage> {
  const described = document as unknown as OpenApiDocument;
  const markdown = createMarkdown({
    base: `/docs/${language}`,
    renderPart: (name) => renderPart(name, { document: described, language, markdown }),
  });
  const written = pages.map(({ slug }): [string, SitePage] => {
    const file = new URL(`./content/${language}/${slug}.md`, import.meta.url);
    const { title, lead, body } = markdown.renderPage(
      readFileSync(file, 'utf8').replaceAll('{baseUrl}', baseUrl),
    );
    const main = html`<h1>${title}</h1><p class="lead">${markdown.renderInline(lead)}</p>${body}`;
    return [slug, { title, description: lead, main }];
  });
  const { components } = described;
  const context = { components, baseUrl, language, markdown, isSandbox };
  const operations = groupRoutes(described)
    .flatMap(({ routes }) => routes)
    .map((route): [string, SitePage] => [
      `reference/${route.operation.operationId}`,
      renderOperationPage(route, context),
    ]);
  return new Map([...written, ...operations]);
}

function createLanguageFiles(
  language: Language,
  content: ReadonlyMap<string, SitePage>,
  { document, baseUrl }: SiteOptions,
): SiteFile[] {
  const groups = groupRoutes(document as unknown as OpenApiDocument);
  const searchIndex = `/docs/${language}/search.json`;
  const other = language === 'es' ? 'en' : 'es';
  const slugs = [...content.keys()];
  const files = [...content].map(([slug, { title, description, main }]) => {
    const text = renderFrame({
      title: `${title} · Rubrica`,
      description: description.replaceAll(/[`*]|\]\([^)]*\)|\[/g, ''),
      language,
      translation: pageAddress(other, slug),
      searchIndex,
      contents: renderContents({ groups, language, current: slug }),
      main: html`${main}${renderNeighbours(slug, { language, slugs, content })}`,
    });
    return page(pageAddress(language, slug), text, language);
  });
  const [first] = files;
  return [
    ...files,
    // The first page has its own address too.
    ...(first === undefined ? [] : [{ ...first, address: `/docs/${language}/${slugs[0]}` }]),
    { address: searchIndex, type: 'json', text: JSON.stringify(listSearchRows(content, language)) },
    { address: `/docs/versions.${language}.xml`, type: 'rss', text: writeChangeFeed(language, baseUrl) },
    page(`/docs/programs?lang=${language}`, renderProgramsPage(language), language),
    page(`/docs/not-found?lang=${language}`, renderNotFound(language), language),
  ];
}

interface NeighbourContext {
  readonly language: Language;
  readonly slugs: readonly string[];
  readonly content: ReadonlyMap<string, SitePage>;
}

function renderNeighbours(slug: string, { language, slugs, content }: NeighbourContext): Html {
  const index = slugs.indexOf(slug);
  const text = labels[language];
  const link = (other: string | undefined, label: string) => {
    if (other === undefined) return undefined;
    const name = pages.find((row) => row.slug === other)?.name[language] ?? content.get(other)?.title;
    return html`<a href="${pageAddress(language, other)}"><span class="quiet">${label}</span><br>${name}</a>`;
  };
  return html`<nav class="neighbours" aria-label="${text.next}">${link(slugs[index - 1], text.before)}${link(slugs[index + 1], text.next)}</nav>`;
}

function renderNotFound(language: Language): string {
  const { title, text, link } = labels[language].notFound;
  const back = html`<p><a href="/docs/${language}">${link}</a></p>`;
  const main = html`<h1>${title}</h1><p class="lead">${text}</p>${back}`;
  return renderFrame({ title: `${title} · Rubrica`, description: text, language, contents: back, main });
}
