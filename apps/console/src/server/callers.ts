import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BrowserHeaders, RenewIfDue } from './session/renew-if-due.ts';
import type { Session, SessionSeal } from './session/sealed-session.ts';
import { formatEndedSessionCookie, formatSessionCookie, readSession } from './session/session-cookie.ts';

export interface Callers {
  /** Returns the caller's session with a usable access token; undefined without one. Updates the browser's cookie. */
  sessionOf(request: FastifyRequest, reply: FastifyReply): Promise<Session | undefined>;
  begin(session: Session, reply: FastifyReply): void;
  end(reply: FastifyReply): void;
}

export function createCallers(deps: { readonly seal: SessionSeal; readonly keepFresh: RenewIfDue }): Callers {
  const begin: Callers['begin'] = (session, reply) => {
    reply.header('set-cookie', formatSessionCookie(session, deps.seal));
  };
  const end: Callers['end'] = (reply) => {
    reply.header('set-cookie', formatEndedSessionCookie);
  };
  return {
    begin,
    end,
    async sessionOf(request, reply) {
      const stored = readSession(request.headers.cookie, deps.seal);
      if (stored === undefined) return undefined;
      const session = await deps.keepFresh(stored, toBrowserHeaders(request));
      if (session === undefined) end(reply);
      else if (session !== stored) begin(session, reply);
      return session;
    },
  };
}

/**
 * Builds the headers that identify the browser. Without them all operators would share the console's address and its
 * limit of renewals.
 */
function toBrowserHeaders({ ip, headers }: FastifyRequest): BrowserHeaders {
  const agent = headers['user-agent'];
  return { 'x-forwarded-for': ip, ...(agent === undefined ? {} : { 'user-agent': agent }) };
}
