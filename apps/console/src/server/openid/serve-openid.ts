import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Callers } from '../callers.ts';
import type { Gateway, GatewayAnswer } from '../gateway/gateway.ts';
import { headersForBrowser, headersForGateway } from '../gateway/passed-headers.ts';
import { tokensOf } from '../session/tokens-of.ts';
import { leadingPage } from './leading-page.ts';

export interface OpenIdRoutesDeps {
  readonly gateway: Pick<Gateway, 'send'>;
  readonly callers: Pick<Callers, 'begin'>;
  nowMs(): number;
}

/**
 * Sign-in at the organisation's OpenID provider, at this origin: the gateway does it, and its cookie of the flow goes through.
 * The session that it answers becomes the browser's cookie here.
 */
export function serveOpenId(app: FastifyInstance, deps: OpenIdRoutesDeps): void {
  app.get('/auth/oidc/start', async (request, reply) => {
    const answer = await ask(request, deps);
    const { location } = answer.headers;
    if (location === undefined) return passPage(answer, reply);
    return passCookies(answer, reply).code(answer.status).header('location', location).send();
  });
  app.get('/auth/oidc/callback', async (request, reply) => {
    const answer = await ask(request, deps);
    if (answer.status !== 200) return passPage(answer, reply);
    const begun = tokensOf(JSON.parse(await text(answer.body)), { email: '', nowMs: deps.nowMs() });
    if (begun === undefined) throw new Error('the gateway has answered a sign-in without its tokens');
    passCookies(answer, reply);
    deps.callers.begin(begun.session, reply);
    // A redirect would still be the provider's: the browser would leave the Strict cookie out.
    return reply
      .header('cache-control', 'no-store')
      .header('content-type', 'text/html; charset=utf-8')
      .send(leadingPage(request.headers['accept-language']));
  });
}

const flowCookie = /(?:^|;\s*)(__Host-rubrica-oidc=[^;]*)/;

/** A session as JSON, and what goes wrong as a page. */
function ask(
  request: FastifyRequest,
  { gateway }: Pick<OpenIdRoutesDeps, 'gateway'>,
): Promise<GatewayAnswer> {
  const { headers, ip: address, url: path, signal } = request;
  const [, cookie] = flowCookie.exec(headers.cookie ?? '') ?? [];
  const passed = headersForGateway(headers, { address, accessToken: undefined });
  const accept = 'application/json, text/html;q=0.9';
  const asked = { ...passed, accept, ...(cookie === undefined ? {} : { cookie }) };
  return gateway.send({ method: 'GET', path, headers: asked, signal });
}

function passCookies({ headers }: GatewayAnswer, reply: FastifyReply): FastifyReply {
  return reply.header('set-cookie', headers['set-cookie'] ?? []);
}

/** Its policy names what is in it by hashes. */
function passPage(answer: GatewayAnswer, reply: FastifyReply): FastifyReply {
  const policy = answer.headers['content-security-policy'];
  if (policy !== undefined) reply.header('content-security-policy', policy);
  const language = answer.headers['content-language'];
  if (language !== undefined) reply.header('content-language', language);
  return passCookies(answer, reply)
    .code(answer.status)
    .headers(headersForBrowser(answer.headers))
    .send(answer.body);
}
