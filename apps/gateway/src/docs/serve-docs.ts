import { readFile } from 'node:fs/promises';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { buildDocument } from '@rubrica/openapi/build-document';
import { AppError } from '@rubrica/process/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publish, sendPublished } from '../http/published.ts';
import { type Limit, withLimit } from '../http/rate-limits.ts';
import { acceptsPages, selectPageLanguage } from '../pages/page-language.ts';
import { docsPolicy } from './docs-policy.ts';
import type { DocsFile, DocsSite } from './docs-site.ts';

const contentTypes = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  rss: 'application/rss+xml; charset=utf-8',
} as const satisfies Readonly<Record<DocsFile['type'], string>>;

export interface DocsOptions {
  readonly site: DocsSite;
  readonly baseUrl: string;
  readonly version: string;
  readonly isSandbox: boolean;
  readonly limit: Limit | undefined;
  /** Path of the SDK package that `npm pack` created. */
  readonly sdkPackage: string | undefined;
}

/** Serves the OpenAPI document, and the documentation that `packages/docs` has built. */
export function serveDocs(app: FastifyInstance, options: DocsOptions): void {
  const gate = withLimit(options.limit);
  serveDocument(app, options);
  serveRoot(app, options);
  serveSdk(app, options);
  for (const page of ['', '/versions']) {
    app.get(`/docs${page}`, gate, (request, reply) => {
      const { language } = selectPageLanguage(request);
      return reply.header('vary', 'accept-language').redirect(`/docs/${language}${page}`);
    });
  }
  for (const path of ['/docs', '/docs/en', '/docs/es'])
    app.get(`${path}/`, gate, (_request, reply) => reply.redirect(path));
  app.get<{ Params: { '*': string } }>('/docs/*', gate, (request, reply) =>
    sendFile(`/docs/${request.params['*']}`, { request, reply, site: options.site }),
  );
  for (const path of ['/llms.txt', '/favicon.svg', '/favicon.ico'])
    app.get(path, gate, (request, reply) => sendFile(path, { request, reply, site: options.site }));
}

interface SendContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly site: DocsSite;
}

/**
 * Sends a file of the site.
 * @throws AppError ROUTE_NOT_FOUND; SERVICE_UNAVAILABLE while the site is not built
 */
function sendFile(path: string, { request, reply, site }: SendContext) {
  const file = site.find(path, selectPageLanguage(request).language);
  if (file === undefined) {
    if (site.isBuilt()) throw new AppError({ code: 'ROUTE_NOT_FOUND' });
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', text: createText('call.docsNotBuilt') });
  }
  reply.header('content-type', contentTypes[file.type]);
  if (file.type === 'html') reply.header('content-security-policy', docsPolicy);
  if (file.language !== undefined) reply.header('content-language', file.language);
  if (file.varies) reply.header('vary', 'accept-language');
  if (file.isDownload) reply.header('content-disposition', 'attachment');
  return sendPublished(request, reply, file.published);
}

/** Serves the OpenAPI document. It needs no built site: clients are generated from it. */
function serveDocument(app: FastifyInstance, { baseUrl, version, isSandbox, limit }: DocsOptions): void {
  const build = () => publish(JSON.stringify(buildDocument({ baseUrl, version, sandbox: isSandbox })));
  let document: ReturnType<typeof build> | undefined;
  app.get('/openapi.json', withLimit(limit), (request, reply) => {
    document ??= build();
    // Browser tools of any origin may read it: it contains no secret.
    reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
    return sendPublished(request, reply.header('content-type', contentTypes.json), document);
  });
}

/** Redirects browsers to the documentation, and lists the descriptions for programs. */
function serveRoot(app: FastifyInstance, { baseUrl, limit }: DocsOptions): void {
  const links = {
    documentation: `${baseUrl}/docs`,
    openapi: `${baseUrl}/openapi.json`,
    authorizationServer: `${baseUrl}/.well-known/oauth-authorization-server`,
  };
  app.get('/', withLimit(limit), (request, reply) => {
    reply.header('vary', 'accept, accept-language');
    return acceptsPages(request.headers.accept) && /text\/html/i.test(request.headers.accept ?? '')
      ? reply.redirect(`/docs/${selectPageLanguage(request).language}`)
      : reply.header('content-type', contentTypes.json).send(JSON.stringify(links));
  });
}

/** Serves the SDK for `npm install <address>`. The file may appear while the service runs, so each call reads it. */
function serveSdk(app: FastifyInstance, { sdkPackage, limit }: DocsOptions): void {
  app.get('/docs/rubrica-sdk.tgz', withLimit(limit), async (_request, reply) => {
    const content = sdkPackage && (await readFile(sdkPackage).catch(() => undefined));
    if (!content) throw new AppError({ code: 'ROUTE_NOT_FOUND' });
    return reply
      .header('content-type', 'application/gzip')
      .header('content-disposition', 'attachment')
      .header('cache-control', 'no-cache')
      .send(content);
  });
}
