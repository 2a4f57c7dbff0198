import type { FastifyInstance } from 'fastify';
import type { Callers } from './callers.ts';

export interface SessionRoutesDeps {
  readonly callers: Callers;
  readonly timeZone: string;
}

/** Who is signed in here; nobody is an answer too. */
export function serveSession(app: FastifyInstance, { callers, timeZone }: SessionRoutesDeps): void {
  app.get('/session', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const session = await callers.sessionOf(request, reply);
    if (session === undefined) return { signedIn: false, timeZone };
    return { signedIn: true, email: session.email, role: session.role, timeZone };
  });
}
