import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ErrorCode, ErrorDetail } from '@rubrica/contracts/shared/errors';
import { JsonStreamError, type JsonStreamErrorCode } from '@rubrica/json-stream';
import { AppError, fieldFault } from '@rubrica/process/errors';

/** Refusals by decoder error. Without a text, the catalogue's is used. */
const texts: Record<Exclude<JsonStreamErrorCode, 'FILE_TOO_LARGE'>, (error: JsonStreamError) => Refusal> = {
  NOT_JSON: ({ octet, isIncomplete }) => {
    if (octet === undefined) return { code: 'BODY_MALFORMED' };
    return createMalformed(
      isIncomplete
        ? createText('call.bodyTruncated', {
            octet,
          })
        : createText('call.bodyMalformedAt', { octet }),
    );
  },
  EMPTY: () => createMalformed(createText('call.bodyEmpty')),
  NOT_UTF8: ({ octet }) =>
    createMalformed(
      octet === undefined ? createText('call.bodyNotUtf8') : createText('call.bodyNotUtf8At', { octet }),
    ),
  UTF_16: () => createMalformed(createText('call.bodyUtf16')),
  NOT_AN_OBJECT: () => createMalformed(createText('call.bodyNotObject')),
  TOO_COMPLEX: () => createMalformed(createText('call.bodyTooComplex')),
  FORBIDDEN_NAME: () => createMalformed(createText('call.fieldNameNotAllowed')),
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

function createMalformed(text: ErrorText): Refusal {
  return { code: 'BODY_MALFORMED', text };
}

/**
 * Runs the decoder and converts its errors to codes of the catalogue.
 * @throws AppError
 */
export function withDecodingErrors<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof JsonStreamError ? toAppError(error) : error;
  }
}

/** Converts a decoder error, without it as cause, because it adds no information. */
function toAppError(error: JsonStreamError): AppError {
  const { code, place = '', maxBytes = 0 } = error;
  if (code === 'FILE_TOO_LARGE') return createFilesTooLarge([createFileTooLarge(place, maxBytes)]);
  return new AppError(texts[code](error));
}

/**
 * Creates the fault of a file that is too large.
 * @param place path of the field, such as `evidences[0].evidenceFile`
 */
export function createFileTooLarge(place: string, maxBytes: number): ErrorDetail {
  return fieldFault('FILE_TOO_LARGE', place, createText('file.tooLarge', { count: maxBytes / 1_000_000 }));
}

/** Creates the error for files that are too large. Its 413 precedes any 400. */
export function createFilesTooLarge(details: readonly ErrorDetail[]): AppError {
  return new AppError({ code: 'FILE_TOO_LARGE', details });
}
