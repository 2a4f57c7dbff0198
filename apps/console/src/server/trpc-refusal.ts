import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { FastifyReply } from 'fastify';

interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
}

export const unauthenticated: Refusal = { status: 401, code: 'UNAUTHENTICATED' };

/**
 * Refuses a call before the gateway, in the gateway's form (https://trpc.io/docs/rpc). A body that has not arrived is
 * not read: many bodies would stay in memory until they are collected.
 */
export function sendRefusal(reply: FastifyReply, { status, code }: Refusal): FastifyReply {
  if (!reply.request.raw.complete) reply.header('connection', 'close');
  const { trpc, http, ...texts } = errorCatalogue[code];
  const language = reply.request.headers['accept-language']?.startsWith('es') ? 'es' : 'en';
  const data = { code: trpc, httpStatus: http, appCode: code, details: [] };
  const body = JSON.stringify({ error: { message: texts[language], code: -32_600, data } });
  return reply.code(status).header('content-type', 'application/json').send(body);
}
