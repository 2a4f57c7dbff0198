import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Limit } from './rate-limits.ts';
import { pathOf } from './send-error.ts';

/** Answers unknown addresses 404, and known ones called by another method 405 with `Allow`. Before any route. */
export function answerUnknownRoutes(app: FastifyInstance, limit: Limit | undefined): void {
  const methodsByPattern = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*') return;
    const methods = methodsByPattern.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsByPattern.set(url, methods);
  });
  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    await limit?.(request, reply);
    const path = pathOf(request.raw.url);
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
  const wanted = pattern.split('/');
  const given = path.split('/');
  const isOpen = wanted.at(-1) === '*';
  if (isOpen ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((part, index) => part === '*' || part.startsWith(':') || part === given[index]);
}
