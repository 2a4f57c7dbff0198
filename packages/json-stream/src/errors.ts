const texts = {
  EMPTY: 'The document is empty',
  NOT_JSON: 'The document is not JSON',
  NOT_UTF8: 'The document is not UTF-8',
  UTF_16: 'The document is UTF-16',
  NOT_AN_OBJECT: 'The document is not a JSON object',
  TOO_COMPLEX: 'The document is nested too deeply or has too many parts',
  FORBIDDEN_NAME: 'A field has a name that reaches for a prototype',
  FIELDS_TOO_LARGE: 'The fields other than files are too large',
  FILE_TOO_LARGE: 'A file is too large',
} as const;

export type JsonStreamErrorCode = keyof typeof texts;

export interface JsonStreamErrorFacts {
  /** Location of the file that is too large, such as `evidences[0].evidenceFile`. */
  readonly place?: string;
  /** The exceeded limit. */
  readonly maxBytes?: number;
  /** Position where reading stopped, from 1. */
  readonly octet?: number;
  /** True if the document ends before it is complete. */
  readonly isIncomplete?: boolean;
}

/**
 * Reports the reason for refusing a document. It never quotes the document, and does not have the parser's error as
 * cause.
 */
export class JsonStreamError extends Error {
  override readonly name = 'JsonStreamError';
  readonly code: JsonStreamErrorCode;
  readonly place: string | undefined;
  readonly maxBytes: number | undefined;
  readonly octet: number | undefined;
  readonly isIncomplete: boolean;

  constructor(
    code: JsonStreamErrorCode,
    { place, maxBytes, octet, isIncomplete = false }: JsonStreamErrorFacts = {},
  ) {
    super(texts[code]);
    this.code = code;
    this.place = place;
    this.maxBytes = maxBytes;
    this.octet = octet;
    this.isIncomplete = isIncomplete;
  }
}
