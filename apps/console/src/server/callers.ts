import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ForBrowser, KeepFresh } from './session/keep-fresh.ts';
import type { Session, SessionSeal } from './session/sealed-session.ts';
import { endedCookie, readSession, sessionCookie } from './session/session-cookie.ts';

export interface Callers {
  /** Who calls, with an access token that is good for the call; undefined for nobody. Keeps the browser's cookie right. */
  sessionOf(request: FastifyRequest, reply: FastifyReply): Promise<Session | undefined>;
  begin(session: Session, reply: FastifyReply): void;
  end(reply: FastifyReply): void;
}

export function createCallers(deps: { readonly seal: SessionSeal; readonly keepFresh: KeepFresh }): Callers {
  const begin: Callers['begin'] = (session, reply) => {
    reply.header('set-cookie', sessionCookie(session, deps.seal));
  };
  const end: Callers['end'] = (reply) => {
    reply.header('set-cookie', endedCookie);
  };
  return {
    begin,
    end,
    async sessionOf(request, reply) {
      const brought = readSession(request.headers.cookie, deps.seal);
      if (brought === undefined) return undefined;
      const session = await deps.keepFresh(brought, asBrowser(request));
      if (session === undefined) end(reply);
      else if (session !== brought) begin(session, reply);
      return session;
    },
  };
}

/** Without it all operators would be one address, the console's, with one limit for all of their renewals. */
function asBrowser({ ip, headers }: FastifyRequest): ForBrowser {
  const agent = headers['user-agent'];
  return { 'x-forwarded-for': ip, ...(agent === undefined ? {} : { 'user-agent': agent }) };
}
