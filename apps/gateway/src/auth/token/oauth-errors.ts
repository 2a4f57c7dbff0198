import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { isStreamSafe } from '@rubrica/contracts/shared/stream-safe';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { localizeFault } from '../../http/error-object.ts';
import type { SendError } from '../../http/send-error.ts';
import { toFault } from '../../http/to-app-error.ts';
import { toOAuthCode } from './oauth-fault.ts';

/** Creates the error handler of the token endpoint: RFC 6749 §5.2 fields within our error object. */
export function createOAuthErrorHandler(sendError: SendError) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const fault = toFault(error);
    const { http } = errorCatalogue[fault.code];
    reply.header('pragma', 'no-cache');
    // §5.2: the challenge names the authentication scheme for the client.
    if (http === 401) reply.header('www-authenticate', 'Basic realm="rubrica", charset="UTF-8"');
    const oauthCode = toOAuthCode(fault, http);
    const extra =
      oauthCode === undefined
        ? undefined
        : { error: oauthCode, error_description: describe(localizeFault(fault, request.call.language)) };
    return sendError(fault, request, reply, extra);
  };
}

/**
 * Reduces a message to the printable ASCII that §5.2 allows, without quotes and backslash. Letters lose their accents;
 * `message` keeps them.
 */
function describe(message: string): string {
  return (isStreamSafe(message) ? message.normalize('NFD') : message)
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll('"', "'")
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
}
