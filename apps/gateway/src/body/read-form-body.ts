import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { decodeDocument } from '@rubrica/json-stream';
import { AppError } from '@rubrica/process';
import type { BodyPlan } from './body.ts';
import { mediaTypeOf } from './media-type.ts';
import { type ByteBudget, withBytes } from './read-bytes.ts';
import { decoding } from './refused-document.ts';

const maxParameters = 50;

/**
 * Reads `application/x-www-form-urlencoded`, and JSON where a client sends that instead. A repeated parameter
 * becomes an array, for the fields' own check to refuse.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or BODY_MALFORMED
 */
export function createFormBodyReader({ budget }: { budget: ByteBudget }) {
  return async (request: IncomingMessage, plan: BodyPlan): Promise<Readonly<Record<string, unknown>>> => {
    const type = mediaTypeOf(request.headers);
    if (type !== 'application/x-www-form-urlencoded' && type !== 'application/json') {
      throw new AppError({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        publicMessage: 'The body must be sent as application/x-www-form-urlencoded',
      });
    }
    return withBytes(request, { maxBytes: plan.maxBytes, budget }, (bytes) =>
      type === 'application/json' ? decoding(() => decodeDocument(bytes, plan)).fields : parseForm(bytes),
    );
  };
}

function parseForm(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw new AppError({ code: 'BODY_MALFORMED', publicMessage: 'The body is not UTF-8' });
  const fields: Record<string, unknown> = Object.create(null);
  let count = 0;
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    count += 1;
    if (count > maxParameters) {
      throw new AppError({ code: 'BODY_MALFORMED', publicMessage: 'The form has too many parameters' });
    }
    const present = fields[name];
    fields[name] =
      present === undefined ? value : Array.isArray(present) ? [...present, value] : [present, value];
  }
  return fields;
}
