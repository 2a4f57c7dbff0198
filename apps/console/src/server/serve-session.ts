import type { FastifyInstance } from 'fastify';
import type { Callers } from './callers.ts';

export interface SessionRoutesDeps {
  readonly callers: Callers;
  readonly timeZone: string;
  /** True if operators may sign in at the organisation's OpenID provider. */
  readonly isOpenIdOffered: boolean;
}

/** Serves the current session, signed in or not. */
export function serveSession(
  app: FastifyInstance,
  { callers, timeZone, isOpenIdOffered }: SessionRoutesDeps,
): void {
  app.get('/session', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const session = await callers.sessionOf(request, reply);
    if (session === undefined) return { signedIn: false, timeZone, isOpenIdOffered };
    return { signedIn: true, email: session.email, role: session.role, scope: session.scope, timeZone };
  });
}
