import type { IncomingMessage } from 'node:http';
import type { FileValue as AnyFileValue, Decoded, DecodePlan } from '@rubrica/json-stream';
import type { SealedFile } from './files/seal-files.ts';

/** What a body may be and where its files are; made once for each operation. */
export interface BodyPlan extends DecodePlan {
  /** Largest whole body, bytes. */
  readonly maxBytes: number;
}

/** A file field as it was sent. */
export type FileValue = AnyFileValue<SealedFile>;

/** A body taken apart: files by their place (`evidences[0].evidenceFile`), all else as plain JSON values. */
export type Body = Decoded<SealedFile>;

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
