import { text } from 'node:stream/consumers';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type GatewayRoutesDeps, send, statusFor } from './gateway/pass-on.ts';
import { headersForBrowser } from './gateway/passed-headers.ts';
import { fileHeaders, pdfHeaders } from './headers.ts';
import { refusalOf } from './same-origin.ts';
import type { Session } from './session/sealed-session.ts';
import { tokensOf } from './session/tokens-of.ts';
import { refuse, unauthenticated } from './trpc-refusal.ts';

/** Everything that the pages get from the gateway, at the same paths as there. */
export function serveGateway(app: FastifyInstance, deps: GatewayRoutesDeps): void {
  app.get('/trpc/*', (request, reply) => passProcedure(request, reply, deps));
  app.post(
    '/trpc/*',
    // Before its body is read.
    { onRequest: async (request, reply) => checkOrigin(request, reply, deps.origin) },
    (request, reply) =>
      isAboutSessions(request) ? passSignIn(request, reply, deps) : passProcedure(request, reply, deps),
  );
  for (const path of ['/csv/*', '/reports/*']) {
    app.get(path, (request, reply) => passSignedIn(request, reply, deps));
  }
  app.get('/review/evidence/:token', (request, reply) => passFile(request, reply, deps));
}

async function checkOrigin(request: FastifyRequest, reply: FastifyReply, origin: string): Promise<unknown> {
  const refusal = refusalOf(request.headers, origin);
  if (refusal === undefined) return undefined;
  const [status, code] =
    refusal === 'origin' ? ([403, 'FORBIDDEN'] as const) : ([415, 'UNSUPPORTED_MEDIA_TYPE'] as const);
  return refuse(reply, { status, code });
}

/** A batch names its procedures divided by commas. */
function pathsOf(request: FastifyRequest): readonly string[] {
  return (request.params as { '*': string })['*'].split(',');
}

function isPublic(path: string): boolean {
  return operatorProcedures[path as OperatorPath]?.role === 'public';
}

/** Their answers may bring tokens. */
function isAboutSessions(request: FastifyRequest): boolean {
  return pathsOf(request).some((path) => path.startsWith('auth.'));
}

async function passProcedure(request: FastifyRequest, reply: FastifyReply, deps: GatewayRoutesDeps) {
  const session = await deps.callers.sessionOf(request, reply);
  if (session === undefined && !pathsOf(request).every(isPublic)) {
    return refuse(reply, { ...unauthenticated, status: statusFor(request, 401) });
  }
  const answer = await send(request, session, deps);
  if (answer.status === 401) deps.callers.end(reply);
  return reply
    .code(statusFor(request, answer.status))
    .headers(headersForBrowser(answer.headers))
    .send(answer.body);
}

/** Signed out everywhere is signed out here. */
function endsAll(path: string, body: unknown): boolean {
  return path === 'auth.endSession' && /"all"\s*:\s*true/.test(String(body));
}

const emailSchema = z.object({ email: z.string().max(320) });

async function passSignIn(request: FastifyRequest, reply: FastifyReply, deps: GatewayRoutesDeps) {
  const [path = '', ...others] = pathsOf(request);
  if (others.length > 0 || 'batch' in (request.query as object)) {
    return refuse(reply, { status: 400, code: 'BODY_MALFORMED' });
  }
  const session = await deps.callers.sessionOf(request, reply);
  if (session === undefined && !isPublic(path)) {
    return refuse(reply, { ...unauthenticated, status: statusFor(request, 401) });
  }
  const answer = await send(request, session, deps);
  const body = await text(answer.body);
  const { 'content-length': _, ...headers } = headersForBrowser(answer.headers);
  reply.code(statusFor(request, answer.status)).headers(headers);
  if (answer.status === 401 && session !== undefined) deps.callers.end(reply);
  if (answer.status !== 200) return reply.send(body);
  if (path === 'auth.signOut' || endsAll(path, request.body)) deps.callers.end(reply);
  const parsed = JSON.parse(body) as { result?: { data?: unknown } };
  const begun = tokensOf(parsed.result?.data, {
    email: emailIn(request.body) ?? session?.email ?? '',
    nowMs: deps.nowMs(),
  });
  if (begun === undefined) {
    if (session !== undefined && hasEnrolled(session, parsed.result?.data))
      deps.callers.begin({ ...session, scope: 'full' }, reply);
    return reply.send(body);
  }
  deps.callers.begin(await named(begun.session, deps), reply);
  return reply.send(JSON.stringify({ result: { data: begun.shown } }));
}

/** A session that could do nothing but enrol a second factor can do all from then on, with the tokens that it has. */
function hasEnrolled({ scope }: Session, data: unknown): boolean {
  return scope === 'enrolment' && typeof data === 'object' && data !== null && 'factorId' in data;
}

/** A passkey or an invitation signs in without an address: whose it is the gateway says. */
async function named(session: Session, { gateway }: Pick<GatewayRoutesDeps, 'gateway'>): Promise<Session> {
  if (session.email !== '') return session;
  const authorization = `Bearer ${session.accessToken}`;
  const { data } = await gateway.query('auth.sessions', {}, { authorization });
  return { ...session, email: operatorSchema.safeParse(data).data?.operator.email ?? '' };
}

const operatorSchema = z.object({ operator: z.object({ email: z.string() }) });

function emailIn(body: unknown): string | undefined {
  try {
    return emailSchema.safeParse(JSON.parse(String(body))).data?.email.toLowerCase();
  } catch {
    return undefined;
  }
}

/** A table as a file. */
async function passSignedIn(request: FastifyRequest, reply: FastifyReply, deps: GatewayRoutesDeps) {
  const session = await deps.callers.sessionOf(request, reply);
  if (session === undefined) return refuse(reply, unauthenticated);
  const answer = await send(request, session, deps);
  return reply.code(answer.status).headers(headersForBrowser(answer.headers)).send(answer.body);
}

/** The address is the key; it is asked for in the operator's name all the same. */
async function passFile(request: FastifyRequest, reply: FastifyReply, deps: GatewayRoutesDeps) {
  const session = await deps.callers.sessionOf(request, reply);
  if (session === undefined) return refuse(reply, unauthenticated);
  const answer = await send(request, session, deps);
  const headers = headersForBrowser(answer.headers);
  const policy = headers['content-type'] === 'application/pdf' ? pdfHeaders : fileHeaders;
  return reply
    .code(answer.status)
    .headers({ ...headers, ...policy })
    .send(answer.body);
}
