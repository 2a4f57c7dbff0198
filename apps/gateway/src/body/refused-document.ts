import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { JsonStreamError, type JsonStreamErrorCode } from '@rubrica/json-stream';
import { AppError } from '@rubrica/process';
import { filesTooLarge, fileTooLarge } from './file-too-large.ts';

/** Without a text, the catalogue's is used. */
const texts: Record<Exclude<JsonStreamErrorCode, 'FILE_TOO_LARGE'>, (error: JsonStreamError) => Refusal> = {
  NOT_JSON: ({ octet, isIncomplete }) => {
    if (octet === undefined) return { code: 'BODY_MALFORMED' };
    return malformed(
      isIncomplete
        ? createText('call.bodyTruncated', {
            octet,
          })
        : createText('call.bodyMalformedAt', { octet }),
    );
  },
  EMPTY: () => malformed(createText('call.bodyEmpty')),
  NOT_UTF8: ({ octet }) =>
    malformed(
      octet === undefined ? createText('call.bodyNotUtf8') : createText('call.bodyNotUtf8At', { octet }),
    ),
  UTF_16: () => malformed(createText('call.bodyUtf16')),
  NOT_AN_OBJECT: () => malformed(createText('call.bodyNotObject')),
  TOO_COMPLEX: () => malformed(createText('call.bodyTooComplex')),
  FORBIDDEN_NAME: () => malformed(createText('call.fieldNameNotAllowed')),
  FIELDS_TOO_LARGE: ({ maxBytes }) => ({
    code: 'BODY_TOO_LARGE',
    text: createText('call.fieldsTooLarge', {
      count: maxBytes ?? 0,
    }),
  }),
};

interface Refusal {
  readonly code: ErrorCode;
  readonly text?: ErrorText;
}

function malformed(text: ErrorText): Refusal {
  return { code: 'BODY_MALFORMED', text };
}

/** Runs the decoder, and says in the catalogue's terms why it refused the document. @throws AppError */
export function decoding<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof JsonStreamError ? toAppError(error) : error;
  }
}

/** Without the decoder's error as cause: it says nothing more. */
function toAppError(error: JsonStreamError): AppError {
  const { code, place = '', maxBytes = 0 } = error;
  if (code === 'FILE_TOO_LARGE') return filesTooLarge([fileTooLarge(place, maxBytes)]);
  return new AppError(texts[code](error));
}
