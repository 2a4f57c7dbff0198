import type { AppError } from '@rubrica/process/errors';
import type { FastifyRequest } from 'fastify';
import type { Language } from '../context.ts';
import { acceptsPages, selectPageLanguage } from '../pages/page-language.ts';
import { docsPolicy } from './docs-policy.ts';
import type { DocsSite } from './docs-site.ts';

/**
 * Creates the error page for unknown addresses below `/docs`. A client that accepts only JSON gets the error object.
 */
export function createDocsErrors(site: DocsSite) {
  return (fault: AppError, request: FastifyRequest) => {
    const { url = '' } = request.raw;
    if (fault.code !== 'ROUTE_NOT_FOUND' || !/^\/docs[/?]/.test(url)) return undefined;
    if (!acceptsPages(request.headers.accept)) return undefined;
    const pathLanguage = /^\/docs\/(es|en)\//.exec(url)?.[1] as Language | undefined;
    const language = pathLanguage ?? selectPageLanguage(request).language;
    const page = site.find('/docs/not-found', language);
    return page && { body: page.published.body.toString(), language, policy: docsPolicy };
  };
}
