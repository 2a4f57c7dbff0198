import type { AppError } from '@rubrica/process';
import type { FastifyRequest } from 'fastify';
import { pagePolicy, renderDocument } from '../pages/layout.ts';
import { takesPages } from '../pages/page-language.ts';
import { aroundOf, claimPrefix } from './claim-link.ts';
import { errorPage } from './error-page.ts';

export interface RenderedError {
  readonly body: string;
  readonly language: 'en' | 'es';
  readonly policy: string;
}

/** Failures below `/claim/` as a page, for whoever takes one; all others are left to the error object. */
export function createClaimErrors({ timeZone }: { timeZone: string }) {
  return (fault: AppError, request: FastifyRequest): RenderedError | undefined => {
    if (!request.raw.url?.startsWith(claimPrefix)) return undefined;
    if (!takesPages(request.headers.accept) || request.raw.url.includes('/progress')) return undefined;
    const around = aroundOf(request, timeZone);
    const page = errorPage(fault, around, request.call.traceId);
    return { body: renderDocument(page, around), language: around.language, policy: pagePolicy };
  };
}
