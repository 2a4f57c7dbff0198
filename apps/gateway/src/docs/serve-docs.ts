import { readFile } from 'node:fs/promises';
import { buildDocument } from '@rubrica/openapi/build-document';
import { AppError } from '@rubrica/process';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Language } from '../context.ts';
import { type Published, publish, sendPublished } from '../http/published.ts';
import { type Limit, limited } from '../http/rate-limits.ts';
import { pagePolicy as framePolicy } from '../pages/layout.ts';
import { languageOf, takesPages } from '../pages/page-language.ts';
import { changeFeed } from './changes.ts';
import { favicon } from './favicon.ts';
import { operatorsPath, renderOperatorsPage } from './operators/operators-page.ts';
import { pagePolicy } from './page-policy.ts';
import { pages } from './pages.ts';
import { exampleText, verificationVectors } from './parts.ts';
import { buildCollection } from './postman/build-collection.ts';
import { programsPath, renderProgramsPage } from './programs/programs-page.ts';
import type { DescribedDocument } from './reference/document.ts';
import { searchIndex } from './search/search-index.ts';
import { llmsText } from './site/llms-text.ts';
import { createSite } from './site/site.ts';

const types = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  rss: 'application/rss+xml; charset=utf-8',
} as const;

export interface DocsOptions {
  readonly baseUrl: string;
  readonly version: string;
  /** Pages of operations then have a form that makes the call. */
  readonly isSandbox: boolean;
  readonly limit: Limit | undefined;
  /** File that `npm pack` made of the SDK. */
  readonly sdkPackage: string | undefined;
}

/**
 * The description at `/openapi.json`, and as pages for people below `/docs`, with the files that they speak of; the page
 * for subscribers, `/docs/programs`, and that of whoever builds a dashboard, `/docs/operators`. All of it is made when it
 * is first asked for, so that a start does not wait for it.
 */
export function serveDocs(app: FastifyInstance, options: DocsOptions): void {
  const { baseUrl, version, isSandbox } = options;
  const gate = limited(options.limit);
  const document = lazy(() => buildDocument({ baseUrl, version, sandbox: isSandbox }));
  const described = () => document() as unknown as DescribedDocument;
  const site = lazy(() => createSite({ document: described(), baseUrl, isSandbox }));
  serveFiles(app, { ...options, document, site });

  app.get('/docs', gate, (request, reply) => {
    const { language } = languageOf(request);
    return reply.header('vary', 'accept-language').redirect(`/docs/${language}`);
  });
  app.get('/docs/versions', gate, (request, reply) => {
    const { language } = languageOf(request);
    return reply.header('vary', 'accept-language').redirect(`/docs/${language}/versions`);
  });
  app.get('/docs/', gate, (_request, reply) => reply.redirect('/docs'));
  for (const language of ['es', 'en'] as const) {
    app.get(`/docs/${language}/`, gate, (_request, reply) => reply.redirect(`/docs/${language}`));
    const rendered = new Map<string, Published>();
    const page = (slug: string) => {
      const known = rendered.get(slug);
      if (known !== undefined) return known;
      const text = site().render(language, slug);
      if (text === undefined) throw new AppError({ code: 'ROUTE_NOT_FOUND' });
      const made = publish(text);
      rendered.set(slug, made);
      return made;
    };
    app.get(`/docs/${language}`, gate, (request, reply) =>
      sendPublished(request, asPage(reply, language), page(pages[0]?.slug ?? '')),
    );
    app.get<{ Params: { '*': string } }>(`/docs/${language}/*`, gate, (request, reply) =>
      sendPublished(request, asPage(reply, language), page(request.params['*'])),
    );
    const index = lazy(async () => publish(JSON.stringify(await searchIndex(site(), language))));
    app.get(`/docs/${language}/search.json`, gate, async (request, reply) =>
      sendPublished(request, reply.header('content-type', types.json), await index()),
    );
  }
  const operators = lazy(() => publish(renderOperatorsPage()));
  app.get(operatorsPath, gate, (request, reply) => sendPublished(request, asPage(reply, 'en'), operators()));
  servePrograms(app, options);
  serveSdk(app, options);
}

function asPage(reply: FastifyReply, language: Language): FastifyReply {
  return reply
    .header('content-security-policy', pagePolicy)
    .header('content-language', language)
    .header('content-type', types.html);
}

function servePrograms(app: FastifyInstance, { limit }: DocsOptions): void {
  const programs = {
    es: lazy(() => publish(renderProgramsPage('es'))),
    en: lazy(() => publish(renderProgramsPage('en'))),
  };
  app.get(programsPath, limited(limit), (request, reply) => {
    const { language } = languageOf(request);
    reply.header('vary', 'accept-language').header('content-language', language);
    reply.header('content-security-policy', framePolicy).header('content-type', types.html);
    return sendPublished(request, reply, programs[language]());
  });
}

/** `npm install <address>` takes it. Read when it is asked for: it may be put there while the service runs. */
function serveSdk(app: FastifyInstance, { sdkPackage, limit }: DocsOptions): void {
  app.get('/docs/rubrica-sdk.tgz', limited(limit), async (_request, reply) => {
    const content = sdkPackage && (await readFile(sdkPackage).catch(() => undefined));
    if (!content) throw new AppError({ code: 'ROUTE_NOT_FOUND' });
    return reply
      .header('content-type', 'application/gzip')
      .header('content-disposition', 'attachment')
      .header('cache-control', 'no-cache')
      .send(content);
  });
}

interface FilesOptions extends DocsOptions {
  readonly document: () => ReturnType<typeof buildDocument>;
  readonly site: () => ReturnType<typeof createSite>;
}

/** Example programs, by the names that a browser saves them under. */
const programs = [
  ...['verify_webhook.py', 'VerifyWebhook.java', 'rubrica.py', 'Rubrica.java'],
  ...['first-certificate.ts', 'first_certificate.py', 'FirstCertificate.java'],
] as const;

/** What is no page: descriptions for programs, examples to download, the icon. */
function serveFiles(app: FastifyInstance, { document, site, baseUrl, limit }: FilesOptions): void {
  // Tools in a browser may read the description from anywhere: it holds no secret.
  const anywhere = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
  const saved = { 'content-disposition': 'attachment' };
  const rows = [
    ['/openapi.json', types.json, () => JSON.stringify(document()), anywhere],
    // Its name is what a browser saves it under, for the import.
    [
      '/docs/rubrica.postman_collection.json',
      types.json,
      () => JSON.stringify(buildCollection(document()), null, 2),
      saved,
    ],
    ['/docs/verify-webhook.ts', types.text, () => exampleText('verify-webhook.ts'), {}],
    ...programs.map((name) => [`/docs/${name}`, types.text, () => exampleText(name), saved] as const),
    ['/docs/versions.en.xml', types.rss, () => changeFeed('en', baseUrl), {}],
    ['/docs/versions.es.xml', types.rss, () => changeFeed('es', baseUrl), {}],
    ['/docs/webhook-vectors.json', types.json, verificationVectors, {}],
    ['/llms.txt', types.text, () => llmsText(site(), baseUrl), {}],
    ['/favicon.svg', types.svg, () => favicon, {}],
    ['/favicon.ico', types.svg, () => favicon, {}],
  ] as const;
  for (const [path, type, content, headers] of rows) {
    const file = lazy(() => publish(content()));
    app.get(path, limited(limit), (request, reply) =>
      sendPublished(request, reply.headers({ ...headers, 'content-type': type }), file()),
    );
  }
  const links = {
    documentation: `${baseUrl}/docs`,
    openapi: `${baseUrl}/openapi.json`,
    authorizationServer: `${baseUrl}/.well-known/oauth-authorization-server`,
  };
  // People are led on; a program that takes no pages learns where the descriptions are.
  app.get('/', limited(limit), (request, reply) => {
    reply.header('vary', 'accept, accept-language');
    return takesPages(request.headers.accept) && /text\/html/i.test(request.headers.accept ?? '')
      ? reply.redirect(`/docs/${languageOf(request).language}`)
      : reply.header('content-type', types.json).send(JSON.stringify(links));
  });
}

function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
