import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyPlan } from '../body/body.ts';
import type { ReadForm } from '../body/read-form-body.ts';
import type { Limit } from '../http/rate-limits.ts';
import { pagePolicy, renderDocument } from '../pages/layout.ts';
import { selectPageLanguage } from '../pages/page-language.ts';
import { refuseCrossSite } from '../pages/same-site.ts';
import type { Peers } from '../peers/peers.ts';
import { address, type PageContext, renderLivenessPage } from './liveness-page.ts';

export interface LivenessPageDeps {
  readonly peers: Pick<Peers, 'intake'>;
  readonly keyring: Pick<Keyring, 'sealTo'>;
  readonly readForm: ReadForm;
  readonly limit: Limit | undefined;
  readonly baseUrl: string;
  readonly timeZone: string;
}

type SessionRequest = FastifyRequest<{ Params: { sessionId: string } }>;

const sessionPattern = /^[A-Za-z0-9_-]{1,128}$/;
const maxBytes = 1024;
const plan: BodyPlan = { maxBytes, maxFieldBytes: maxBytes, maxBytesOf: () => 0, files: [] };

/** Serves the sandbox's proof of life, for the applicant's phone. Public: the session in the address is the key. */
export function serveLivenessPage(app: FastifyInstance, deps: LivenessPageDeps): void {
  const { limit, peers, keyring } = deps;
  const sealSession = async (sessionId: string) => ({
    sealedSession: await keyring.sealTo('intake', sessionId, { purpose: 'liveness-page', owner: 'gateway' }),
  });

  app.get(
    '/liveness/:sessionId',
    limit === undefined ? {} : { onRequest: limit },
    async (request: SessionRequest, reply) => {
      const context = createPageContext(request, deps.timeZone);
      const { sessionId } = context;
      const view = await peers.intake['signature.livenessPage'](await sealSession(sessionId));
      return reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-language', context.language)
        .header('content-security-policy', pagePolicy)
        .send(renderDocument(renderLivenessPage(view, context), context));
    },
  );

  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await limit?.(request, reply);
    refuseCrossSite(request, deps.baseUrl);
  };
  app.post('/liveness/:sessionId', { onRequest }, async (request: SessionRequest, reply) => {
    const context = createPageContext(request, deps.timeZone);
    await deps.readForm(request, plan);
    const { sessionId } = context;
    await peers.intake['signature.completeLiveness'](await sealSession(sessionId));
    // 303: the browser loads the page, and a reload sends nothing twice (RFC 9110 §15.4.4).
    return reply.code(303).header('location', address(context)).send();
  });
}

/**
 * Builds the context of a page.
 * @throws AppError REQUEST_NOT_FOUND for a malformed session
 */
function createPageContext(request: SessionRequest, timeZone: string): PageContext {
  const { sessionId } = request.params;
  if (!sessionPattern.test(sessionId)) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
  return { sessionId, timeZone, ...selectPageLanguage(request) };
}
