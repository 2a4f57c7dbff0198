import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { AppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import type { ConnectionError } from 'fastify';
import { type ErrorContext, toErrorObject } from './error-object.ts';

const reasons: Readonly<Record<string, ErrorText>> = {
  HPE_HEADER_OVERFLOW: createText('call.headersTooLarge'),
  ERR_HTTP_REQUEST_TIMEOUT: createText('call.requestTooSlow'),
};

/**
 * Creates the answer to invalid HTTP, oversized headers or a slow request. There is no request object yet, so the
 * answer is written manually.
 */
export function createClientErrorHandler({ timeZone, baseUrl }: Pick<ErrorContext, 'timeZone' | 'baseUrl'>) {
  return (error: ConnectionError, socket: Socket): void => {
    // The other side has closed, or was already answered.
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    const text = reasons[error.code] ?? createText('call.notHttp');
    const body = JSON.stringify(
      toErrorObject(new AppError({ code: 'BODY_MALFORMED', text }), {
        path: '/',
        traceId: randomBytes(16).toString('hex'),
        language: 'en',
        now: new Date(),
        timeZone,
        baseUrl,
      }),
    );
    const head = [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      'content-language: en',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${uuidv7()}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}
