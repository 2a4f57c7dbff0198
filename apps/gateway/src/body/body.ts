import type { IncomingMessage } from 'node:http';
import type { SealedFile } from '../evidence/seal-files.ts';

/** What a body may be and where its files are; made once for each operation. */
export interface BodyPlan {
  /** Largest whole body, bytes. */
  readonly maxBytes: number;
  /** Most that all fields other than files may come to, bytes. */
  readonly maxFieldBytes: number;
  /** Largest file of the kind that begins like this, decoded, bytes. */
  readonly maxBytesOf: (head: Uint8Array) => number;
  /** Where files are: a field's name, or `list[].name` for a field of each item of a list. */
  readonly files: readonly string[];
}

/** A file field as it was sent. */
export type FileValue<File = SealedFile> =
  | { readonly kind: 'file'; readonly file: File }
  /** Text that is not base64, or an array that holds more than bytes. */
  | { readonly kind: 'undecodable' }
  /** Neither text nor an array. */
  | { readonly kind: 'not-a-file' }
  | { readonly kind: 'too-large' };

/** A body taken apart: files by their place (`evidences[0].evidenceFile`), all else as plain JSON values. */
export interface Body<File = SealedFile> {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: ReadonlyMap<string, FileValue<File>>;
}

/** A body whose files are encrypted, and the key they are encrypted with. */
export interface SealedBody extends Body {
  readonly fileKey: Buffer;
}

/**
 * Takes a JSON body apart.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or BODY_MALFORMED, in this precedence
 */
export type ReadBody = (request: IncomingMessage, plan: BodyPlan) => Promise<SealedBody>;
