import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from '../http/etag.ts';
import { type Limit, limited } from '../http/rate-limits.ts';
import { pagePolicy as framePolicy } from '../pages/layout.ts';
import { languageOf } from '../pages/page-language.ts';
import { buildDocument } from './openapi/build-document.ts';
import { operatorsPath, renderOperatorsPage } from './operators/operators-page.ts';
import { collectionFile, renderPage } from './page.ts';
import { buildCollection } from './postman/build-collection.ts';
import { programsPath, renderProgramsPage } from './programs/programs-page.ts';
import { style } from './style.ts';
import { exampleFile, vectorsFile, verificationExample, verificationVectors } from './webhooks-guide.ts';

/** Nothing but the page's own style, named by its hash: no script, no image, no call, no frame. */
const pagePolicy = `default-src 'none'; style-src 'sha256-${sha256(style.text)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Published {
  /** Bytes, not a text: of a text every reader who is slow would have a copy. */
  readonly body: Buffer;
  readonly etag: string;
}

export interface DocsOptions {
  readonly baseUrl: string;
  readonly version: string;
  readonly limit: Limit | undefined;
}

/**
 * The description at `/openapi.json`, and as a page for people at `/docs`, with the files it speaks of;
 * beside it the page for subscribers, `/docs/programs`, and that of whoever builds a dashboard, `/docs/operators`.
 */
export function serveDocs(app: FastifyInstance, { baseUrl, version, limit }: DocsOptions): void {
  const gate = limited(limit);
  // Made at the first request, so that start-up does not wait for it.
  const document = lazy(() => buildDocument({ baseUrl, version }));
  const description = lazy(() => publish(JSON.stringify(document())));
  const page = lazy(() => publish(renderPage(document(), baseUrl)));

  app.get('/openapi.json', gate, (request, reply) => {
    // Tools in a browser may read it from anywhere: it holds no secret.
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    return send(request, reply.header('content-type', 'application/json; charset=utf-8'), description());
  });
  app.get('/docs', gate, (request, reply) => {
    reply.header('content-security-policy', pagePolicy);
    return send(request, reply.header('content-type', 'text/html; charset=utf-8'), page());
  });
  const operators = lazy(() => publish(renderOperatorsPage()));
  app.get(operatorsPath, gate, (request, reply) => {
    reply.header('content-security-policy', pagePolicy);
    return send(request, reply.header('content-type', 'text/html; charset=utf-8'), operators());
  });
  const programs = {
    es: lazy(() => publish(renderProgramsPage('es'))),
    en: lazy(() => publish(renderProgramsPage('en'))),
  };
  app.get(programsPath, gate, (request, reply) => {
    const { language } = languageOf(request);
    reply
      .header('content-security-policy', framePolicy)
      .header('vary', 'accept-language')
      .header('content-language', language)
      .header('content-type', 'text/html; charset=utf-8');
    return send(request, reply, programs[language]());
  });
  const collection = lazy(() => publish(JSON.stringify(buildCollection(document()), null, 2)));
  app.get(collectionFile, gate, (request, reply) => {
    // Its name is what a browser saves it under, for the import.
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', 'attachment');
    return send(request, reply, collection());
  });
  for (const { path, type, content } of files) {
    const file = lazy(() => publish(content()));
    app.get(path, gate, (request, reply) => send(request, reply.header('content-type', type), file()));
  }
}

const files = [
  { path: exampleFile, type: 'text/plain; charset=utf-8', content: verificationExample },
  { path: vectorsFile, type: 'application/json; charset=utf-8', content: verificationVectors },
] as const;

function send(request: FastifyRequest, reply: FastifyReply, { body, etag }: Published): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'public, max-age=300');
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.send(body);
}

function publish(body: string): Published {
  return { body: Buffer.from(body), etag: `"${sha256(body).slice(0, 22)}"` };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
