import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Callers } from '../callers.ts';
import type { Gateway, GatewayAnswer } from '../gateway/gateway.ts';
import { selectBrowserHeaders, selectGatewayHeaders } from '../gateway/passed-headers.ts';
import { toSignedInSession } from '../session/signed-in-session.ts';
import { renderForwardPage } from './forward-page.ts';

export interface OpenIdRoutesDeps {
  readonly gateway: Pick<Gateway, 'send'>;
  readonly callers: Pick<Callers, 'begin'>;
  nowMs(): number;
}

/**
 * Serves the sign-in at the organisation's OpenID provider under this origin. The gateway performs it, and its flow
 * cookie is passed through. The session in its answer becomes the browser's cookie here.
 */
export function serveOpenId(app: FastifyInstance, deps: OpenIdRoutesDeps): void {
  app.get('/auth/oidc/start', async (request, reply) => {
    const answer = await callGateway(request, deps);
    const { location } = answer.headers;
    if (location === undefined) return passPage(answer, reply);
    return passCookies(answer, reply).code(answer.status).header('location', location).send();
  });
  app.get('/auth/oidc/callback', async (request, reply) => {
    const answer = await callGateway(request, deps);
    if (answer.status !== 200) return passPage(answer, reply);
    const signedIn = toSignedInSession(JSON.parse(await text(answer.body)), {
      email: '',
      nowMs: deps.nowMs(),
    });
    if (signedIn === undefined) throw new Error('the gateway has answered a sign-in without its tokens');
    passCookies(answer, reply);
    deps.callers.begin(signedIn.session, reply);
    // A redirect would still belong to the provider's navigation: the browser would omit the Strict cookie.
    return reply
      .header('cache-control', 'no-store')
      .header('content-type', 'text/html; charset=utf-8')
      .send(renderForwardPage(request.headers['accept-language']));
  });
}

const flowCookie = /(?:^|;\s*)(__Host-rubrica-oidc=[^;]*)/;

/** Requests a session as JSON, and failures as a page. */
function callGateway(
  request: FastifyRequest,
  { gateway }: Pick<OpenIdRoutesDeps, 'gateway'>,
): Promise<GatewayAnswer> {
  const { headers, ip: address, url: path, signal } = request;
  const [, cookie] = flowCookie.exec(headers.cookie ?? '') ?? [];
  const headersToPass = selectGatewayHeaders(headers, { address, accessToken: undefined });
  const accept = 'application/json, text/html;q=0.9';
  const requestHeaders = { ...headersToPass, accept, ...(cookie === undefined ? {} : { cookie }) };
  return gateway.send({ method: 'GET', path, headers: requestHeaders, signal });
}

function passCookies({ headers }: GatewayAnswer, reply: FastifyReply): FastifyReply {
  return reply.header('set-cookie', headers['set-cookie'] ?? []);
}

/** Passes on a page with its policy, which lists its content by hashes. */
function passPage(answer: GatewayAnswer, reply: FastifyReply): FastifyReply {
  const policy = answer.headers['content-security-policy'];
  if (policy !== undefined) reply.header('content-security-policy', policy);
  const language = answer.headers['content-language'];
  if (language !== undefined) reply.header('content-language', language);
  return passCookies(answer, reply)
    .code(answer.status)
    .headers(selectBrowserHeaders(answer.headers))
    .send(answer.body);
}
