import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OpenIdRefusal } from '@rubrica/contracts/services/schemas/openid';
import { type ErrorCode, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Limit, withLimit } from '../../http/rate-limits.ts';
import { acceptsPages } from '../../pages/page-language.ts';
import type { Peers } from '../../peers/peers.ts';
import { readCallOrigin } from '../context.ts';
import { openSession } from '../open-session.ts';
import { expiredFlowCookie, formatFlowCookie, readFlowCookie } from './flow-cookie.ts';
import { renderOpenIdPage, renderRefusal, renderRefusalPage } from './openid-page.ts';
import { callbackPath, startPath } from './paths.ts';

export interface OpenIdDeps {
  readonly peers: {
    readonly intake: Pick<Peers['intake'], 'tokens.startOpenId' | 'tokens.finishOpenId'>;
  };
  readonly keyring: Pick<Keyring, 'sealTo' | 'openText'>;
  /** Limit for sign-ins. */
  readonly signInLimit: Limit | undefined;
}

/**
 * Serves the sign-in at the organisation's OpenID provider. This is only the browser's part: intake redeems the code,
 * so an intruder here can sign in nobody. The session is returned as JSON to a client that asks for JSON, such as the
 * console's server: a browser must hold it in a cookie of the console.
 */
export function serveOpenId(app: FastifyInstance, deps: OpenIdDeps): void {
  app.get(startPath, withLimit(deps.signInLimit), async (_request, reply) => {
    const { authorizationUrl, sealedFlow } = await deps.peers.intake['tokens.startOpenId']({});
    return reply
      .header('set-cookie', formatFlowCookie(sealedFlow))
      .code(303)
      .header('location', authorizationUrl)
      .send();
  });
  app.get(callbackPath, withLimit(deps.signInLimit), (request, reply) =>
    answerCallback(request, reply, deps),
  );
}

async function answerCallback(
  request: FastifyRequest,
  reply: FastifyReply,
  { peers, keyring }: OpenIdDeps,
): Promise<FastifyReply> {
  reply.header('set-cookie', expiredFlowCookie);
  if (!/application\/json/i.test(request.headers.accept ?? '')) return sendPage(request, reply, 'console');
  const sealedFlow = readFlowCookie(request.headers.cookie);
  if (sealedFlow === undefined) return refuse(request, reply, 'start-again');
  const sealedAnswer = await keyring.sealTo('intake', readQuery(request), {
    purpose: 'openid-answer',
    owner: 'gateway',
  });
  const session = await peers.intake['tokens.finishOpenId']({
    sealedFlow,
    sealedAnswer,
    ...readCallOrigin(request),
  });
  if (session.kind === 'refused') return refuse(request, reply, session.reason);
  return reply.send({ email: session.email, ...(await openSession(session, sealedAnswer, keyring)) });
}

/** Returns the query unchanged; intake parses it. */
function readQuery({ raw }: FastifyRequest): string {
  return new URL(raw.url ?? '', 'http://gateway.invalid').search.slice(1);
}

const codes: Readonly<Record<OpenIdRefusal, ErrorCode>> = {
  'start-again': 'UNAUTHENTICATED',
  declined: 'UNAUTHENTICATED',
  'second-factor': 'FORBIDDEN',
  'no-role': 'FORBIDDEN',
  'no-address': 'FORBIDDEN',
  'address-taken': 'FORBIDDEN',
  disabled: 'FORBIDDEN',
};

/**
 * Refuses the sign-in.
 * @throws AppError for a client that does not accept pages
 */
function refuse(request: FastifyRequest, reply: FastifyReply, reason: OpenIdRefusal): FastifyReply {
  if (acceptsPages(request.headers.accept)) return sendPage(request, reply, reason);
  throw new AppError({
    code: codes[reason],
    text: createText('openId.refusal', {
      title: createText(`openId.${reason}.title`),
      advice: createText(`openId.${reason}.advice`),
    }),
  });
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  content: OpenIdRefusal | 'console',
): FastifyReply {
  const { body, language, policy } = renderOpenIdPage(request, (words, language) =>
    renderRefusalPage(content === 'console' ? words.console : renderRefusal(content, language), words),
  );
  return reply
    .code(content === 'console' ? 403 : errorCatalogue[codes[content]].http)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', language)
    .header('content-security-policy', policy)
    .send(body);
}
