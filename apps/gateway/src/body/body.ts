import type { FileValue as AnyFileValue, Decoded, DecodePlan } from '@rubrica/json-stream';
import type { FastifyRequest } from 'fastify';
import type { CalledBy } from '../http/caller-keys.ts';
import type { SealedFile } from './files/seal-files.ts';

/** A call whose body is read, and by whom it is made. */
export type BodyRequest = CalledBy & Pick<FastifyRequest, 'raw'>;

/** What a body may be and where its files are; made once for each operation. */
export interface BodyPlan extends DecodePlan {
  /** Largest whole body, bytes. */
  readonly maxBytes: number;
  /** Its files are looked at and kept nowhere. */
  readonly dropsFiles?: true;
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
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or BODY_MALFORMED, in this precedence; RATE_LIMITED or
 *   SERVICE_UNAVAILABLE where there is no room for it
 */
export type ReadBody = (request: BodyRequest, plan: BodyPlan) => Promise<SealedBody>;
