import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OpenIdRefusal } from '@rubrica/contracts/services/schemas/openid';
import { type ErrorCode, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError, type Keyring } from '@rubrica/process';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Limit, limited } from '../../http/rate-limits.ts';
import { takesPages } from '../../pages/page-language.ts';
import type { Peers } from '../../peers/peers.ts';
import { cameFrom } from '../context.ts';
import { openSession } from '../open-session.ts';
import { endedFlowCookie, flowCookie, readFlowCookie } from './flow-cookie.ts';
import { refusalPage, renderOpenIdPage, renderRefusal } from './openid-page.ts';
import { callbackPath, startPath } from './paths.ts';

export interface OpenIdDeps {
  readonly peers: {
    readonly intake: Pick<Peers['intake'], 'tokens.startOpenId' | 'tokens.finishOpenId'>;
  };
  readonly keyring: Pick<Keyring, 'sealTo' | 'openText'>;
  /** Of sign-ins. */
  readonly signInLimit: Limit | undefined;
}

/**
 * Sign-in at the organisation's OpenID provider. Here is the browser's part alone; intake redeems the code, and who
 * breaks in here can sign in nobody. The session is given as JSON to a client that asks for JSON, such as the console's server: a
 * browser must hold it in a cookie of the console's.
 */
export function serveOpenId(app: FastifyInstance, deps: OpenIdDeps): void {
  app.get(startPath, limited(deps.signInLimit), async (_request, reply) => {
    const { authorizationUrl, sealedFlow } = await deps.peers.intake['tokens.startOpenId']({});
    return reply
      .header('set-cookie', flowCookie(sealedFlow))
      .code(303)
      .header('location', authorizationUrl)
      .send();
  });
  app.get(callbackPath, limited(deps.signInLimit), (request, reply) => callback(request, reply, deps));
}

async function callback(
  request: FastifyRequest,
  reply: FastifyReply,
  { peers, keyring }: OpenIdDeps,
): Promise<FastifyReply> {
  reply.header('set-cookie', endedFlowCookie);
  if (!/application\/json/i.test(request.headers.accept ?? '')) return sendPage(request, reply, 'console');
  const sealedFlow = readFlowCookie(request.headers.cookie);
  if (sealedFlow === undefined) return refuse(request, reply, 'start-again');
  const sealedAnswer = await keyring.sealTo('intake', queryOf(request), {
    purpose: 'openid-answer',
    owner: 'gateway',
  });
  const made = await peers.intake['tokens.finishOpenId']({ sealedFlow, sealedAnswer, ...cameFrom(request) });
  if (made.kind === 'refused') return refuse(request, reply, made.reason);
  return reply.send({ email: made.email, ...(await openSession(made, sealedAnswer, keyring)) });
}

/** As it came: intake takes it apart. */
function queryOf({ raw }: FastifyRequest): string {
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

/** @throws AppError for a client that takes no pages */
function refuse(request: FastifyRequest, reply: FastifyReply, reason: OpenIdRefusal): FastifyReply {
  if (takesPages(request.headers.accept)) return sendPage(request, reply, reason);
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
  what: OpenIdRefusal | 'console',
): FastifyReply {
  const { body, language, policy } = renderOpenIdPage(request, (words, one) =>
    refusalPage(what === 'console' ? words.console : renderRefusal(what, one), words),
  );
  return reply
    .code(what === 'console' ? 403 : errorCatalogue[codes[what]].http)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', language)
    .header('content-security-policy', policy)
    .send(body);
}
