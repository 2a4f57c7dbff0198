import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Limit } from './rate-limits.ts';
import { withoutQuery } from './send-error.ts';

/**
 * Answers unknown addresses with 404, and other methods of known ones with 405 and `Allow`. Call before registering
 * routes.
 */
export function answerUnknownRoutes(app: FastifyInstance, limit: Limit | undefined): void {
  const methodsByPattern = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*') return;
    const methods = methodsByPattern.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPattern.set(url, methods);
  });
  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    await limit?.(request, reply);
    const path = withoutQuery(request.raw.url);
    const methods = [...methodsByPattern].find(([pattern]) => matches(pattern, path))?.[1];
    if (methods === undefined || methods.has(request.method)) throw new AppError({ code: 'ROUTE_NOT_FOUND' });
    const allow = [...methods].sort().join(', ');
    reply.header('allow', allow);
    throw new AppError({
      code: 'METHOD_NOT_ALLOWED',
      text: createText('call.methodNotAllowed', {
        method: request.method,
        methods: allow,
      }),
    });
  });
}

function matches(pattern: string, path: string): boolean {
  const patternParts = pattern.split('/');
  const pathParts = path.split('/');
  const hasWildcard = patternParts.at(-1) === '*';
  if (hasWildcard ? pathParts.length < patternParts.length : pathParts.length !== patternParts.length)
    return false;
  return patternParts.every(
    (part, index) => part === '*' || part.startsWith(':') || part === pathParts[index],
  );
}
