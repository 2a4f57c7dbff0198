import { say } from '@rubrica/contracts/error-texts/say';
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
        ? say('The body is not well-formed JSON: it ends after octet {octet}, before it is complete', {
            octet,
          })
        : say('The body is not well-formed JSON at octet {octet}, counted from 1', { octet }),
    );
  },
  EMPTY: () => malformed(say('A JSON body is required; an empty one was sent')),
  NOT_UTF8: ({ octet }) =>
    malformed(
      octet === undefined
        ? say('The body is not UTF-8')
        : say('The body is not UTF-8 at octet {octet}, counted from 1', { octet }),
    ),
  UTF_16: () => malformed(say('The body is UTF-16; send it in UTF-8')),
  NOT_AN_OBJECT: () => malformed(say('The body must be a JSON object')),
  TOO_COMPLEX: () => malformed(say('The body is nested too deeply or has too many parts')),
  FORBIDDEN_NAME: () => malformed(say('The body has a field of a name that is not allowed')),
  FIELDS_TOO_LARGE: ({ maxBytes }) => ({
    code: 'BODY_TOO_LARGE',
    publicMessage: say('The fields other than files come to more than {count} bytes', {
      count: maxBytes ?? 0,
    }),
  }),
};

interface Refusal {
  readonly code: ErrorCode;
  readonly publicMessage?: string;
}

function malformed(publicMessage: string): Refusal {
  return { code: 'BODY_MALFORMED', publicMessage };
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
