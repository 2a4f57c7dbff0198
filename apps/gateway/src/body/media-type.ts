import type { IncomingHttpHeaders } from 'node:http';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { AppError } from '@rubrica/process/errors';

const utf8 = new Set(['utf-8', 'utf8', 'us-ascii']);

/**
 * Reads the media type of a body, in lower case and without parameters; undefined where none is named.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for a body that is compressed or not UTF-8
 */
export function parseMediaType(headers: IncomingHttpHeaders): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    throw createUnsupported(createText('call.bodyCompressed'));
  }
  const [type, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((text) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/.exec(text)?.[1])
    .find(Boolean);
  if (charset !== undefined && !utf8.has(charset)) throw createUnsupported(createText('call.charsetNotUtf8'));
  return type?.trim() || undefined;
}

/**
 * Checks that the body is declared as JSON.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE
 */
export function assertJson(headers: IncomingHttpHeaders): void {
  const type = parseMediaType(headers);
  if (type === 'application/json') return;
  // Without a body, the missing body is the more helpful error.
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (type === undefined && isEmpty) {
    throw new AppError({
      code: 'BODY_MALFORMED',
      text: createText('call.bodyMissing'),
    });
  }
  throw createUnsupported();
}

function createUnsupported(text?: ErrorText): AppError {
  return new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', text });
}
