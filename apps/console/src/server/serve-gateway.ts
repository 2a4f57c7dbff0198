import { text } from 'node:stream/consumers';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { GatewayAnswer } from './gateway/gateway.ts';
import { selectBrowserHeaders } from './gateway/passed-headers.ts';
import { type GatewayRoutesDeps, sendToGateway, toBrowserStatus } from './gateway/send-to-gateway.ts';
import { fileHeaders, pdfHeaders } from './headers.ts';
import { findCrossSiteRefusal } from './same-origin.ts';
import type { Session } from './session/sealed-session.ts';
import { toSignedInSession } from './session/signed-in-session.ts';
import { sendRefusal, unauthenticated } from './trpc-refusal.ts';

/** Serves everything that the pages get from the gateway, at the same paths. */
export function serveGateway(app: FastifyInstance, deps: GatewayRoutesDeps): void {
  app.get('/trpc/*', (request, reply) => passQuery(request, reply, deps));
  app.post('/trpc/*', (request, reply) => passCall(request, reply, deps));
  for (const path of ['/csv/*', '/reports/*']) {
    app.get(path, (request, reply) => passSignedIn(request, reply, deps));
  }
  app.get('/review/evidence/:token', (request, reply) => passFile(request, reply, deps));
}

/** Lists the procedures of a batch, which the address separates by commas. */
function listPaths(request: FastifyRequest): readonly string[] {
  return (request.params as { '*': string })['*'].split(',');
}

/** Refuses segments such as `..`, which would lead the gateway to another procedure than the one checked here. */
function hasValidPaths(request: FastifyRequest): boolean {
  return listPaths(request).every((path) => /^[\w.]+$/.test(path) && !path.includes('..'));
}

function isPublic(path: string): boolean {
  return operatorProcedures[path as OperatorPath]?.role === 'public';
}

/** Returns whether the answers may contain tokens. */
function isAboutSessions(request: FastifyRequest): boolean {
  return listPaths(request).some((path) => path.startsWith('auth.'));
}

async function passQuery(request: FastifyRequest, reply: FastifyReply, deps: GatewayRoutesDeps) {
  if (!hasValidPaths(request)) return sendRefusal(reply, { status: 400, code: 'BODY_MALFORMED' });
  const session = await deps.callers.sessionOf(request, reply);
  if (!isAllowedFor(session, request))
    return sendRefusal(reply, { ...unauthenticated, status: toBrowserStatus(request, 401) });
  return passAnswer(request, reply, deps, await sendToGateway(request, session, deps));
}

function isAllowedFor(session: Session | undefined, request: FastifyRequest): boolean {
  return session !== undefined || listPaths(request).every(isPublic);
}

/** Reads the body of a call only after its headers have shown that it is allowed. */
async function passCall(request: FastifyRequest, reply: FastifyReply, deps: GatewayRoutesDeps) {
  const refusal = findCrossSiteRefusal(request.headers, deps.origin);
  if (refusal === 'origin') return sendRefusal(reply, { status: 403, code: 'FORBIDDEN' });
  if (refusal === 'type') return sendRefusal(reply, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  if (!hasValidPaths(request)) return sendRefusal(reply, { status: 400, code: 'BODY_MALFORMED' });
  const isSignIn = isAboutSessions(request);
  if (isSignIn && isBatch(request)) return sendRefusal(reply, { status: 400, code: 'BODY_MALFORMED' });
  const session = await deps.callers.sessionOf(request, reply);
  if (!isAllowedFor(session, request))
    return sendRefusal(reply, { ...unauthenticated, status: toBrowserStatus(request, 401) });
  const { answer, input } = await deps.bodies.read(request, session, async (body) => ({
    answer: await sendToGateway(request, session, deps, body),
    input: isSignIn ? readSignIn(request, body) : undefined,
  }));
  if (input === undefined) return passAnswer(request, reply, deps, answer);
  return passSignIn({ request, reply, session, answer, input }, deps);
}

function isBatch(request: FastifyRequest): boolean {
  return listPaths(request).length > 1 || 'batch' in (request.query as object);
}

function passAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: GatewayRoutesDeps,
  answer: GatewayAnswer,
) {
  if (answer.status === 401) deps.callers.end(reply);
  return reply
    .code(toBrowserStatus(request, answer.status))
    .headers(selectBrowserHeaders(answer.headers))
    .send(answer.body);
}

interface SignInInput {
  readonly email: string | undefined;
  readonly endsSession: boolean;
}

const emailSchema = z.object({ email: z.string().max(320) });

/** Reads the input that affects the session here. Signing out everywhere also signs out here. */
function readSignIn(request: FastifyRequest, body: Buffer): SignInInput {
  const [path = ''] = listPaths(request);
  const text = String(body);
  const endsAll = path === 'auth.endSession' && /"all"\s*:\s*true/.test(text);
  return { email: readEmail(text), endsSession: path === 'auth.signOut' || endsAll };
}

function readEmail(text: string): string | undefined {
  try {
    return emailSchema.safeParse(JSON.parse(text)).data?.email.toLowerCase();
  } catch {
    return undefined;
  }
}

interface AnsweredSignIn {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: Session | undefined;
  readonly answer: GatewayAnswer;
  readonly input: SignInInput;
}

async function passSignIn(call: AnsweredSignIn, deps: GatewayRoutesDeps) {
  const { request, reply, session, answer, input } = call;
  const body = await text(answer.body);
  const { 'content-length': _, ...headers } = selectBrowserHeaders(answer.headers);
  reply.code(toBrowserStatus(request, answer.status)).headers(headers);
  if (answer.status === 401 && session !== undefined) deps.callers.end(reply);
  if (answer.status !== 200) return reply.send(body);
  if (input.endsSession) deps.callers.end(reply);
  const parsed = JSON.parse(body) as { result?: { data?: unknown } };
  const started = toSignedInSession(parsed.result?.data, {
    email: input.email ?? session?.email ?? '',
    nowMs: deps.nowMs(),
  });
  if (started === undefined) {
    if (session !== undefined && hasEnrolled(session, parsed.result?.data))
      deps.callers.begin({ ...session, scope: 'full' }, reply);
    return reply.send(body);
  }
  deps.callers.begin(await withEmail(started.session, deps), reply);
  return reply.send(JSON.stringify({ result: { data: started.shown } }));
}

/** Returns whether a session that could only enrol a second factor has done so; its tokens then allow everything. */
function hasEnrolled({ scope }: Session, data: unknown): boolean {
  return scope === 'enrolment' && typeof data === 'object' && data !== null && 'factorId' in data;
}

/** Adds the e-mail address. A passkey or invitation signs in without one, so the gateway is called for it. */
async function withEmail(
  session: Session,
  { gateway }: Pick<GatewayRoutesDeps, 'gateway'>,
): Promise<Session> {
  if (session.email !== '') return session;
  const authorization = `Bearer ${session.accessToken}`;
  const { data } = await gateway.query('auth.sessions', {}, { authorization });
  return { ...session, email: operatorSchema.safeParse(data).data?.operator.email ?? '' };
}

const operatorSchema = z.object({ operator: z.object({ email: z.string() }) });

/** Passes on a table as a file. */
async function passSignedIn(request: FastifyRequest, reply: FastifyReply, deps: GatewayRoutesDeps) {
  const session = await deps.callers.sessionOf(request, reply);
  if (session === undefined) return sendRefusal(reply, unauthenticated);
  const answer = await sendToGateway(request, session, deps);
  return reply.code(answer.status).headers(selectBrowserHeaders(answer.headers)).send(answer.body);
}

/** Passes on a file. Its address is the key, but the call is made as the operator. */
async function passFile(request: FastifyRequest, reply: FastifyReply, deps: GatewayRoutesDeps) {
  const session = await deps.callers.sessionOf(request, reply);
  if (session === undefined) return sendRefusal(reply, unauthenticated);
  const answer = await sendToGateway(request, session, deps);
  const headers = selectBrowserHeaders(answer.headers);
  const policy = headers['content-type'] === 'application/pdf' ? pdfHeaders : fileHeaders;
  return reply
    .code(answer.status)
    .headers({ ...headers, ...policy })
    .send(answer.body);
}
