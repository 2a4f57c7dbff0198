import type { FileValue as AnyFileValue, Decoded, DecodePlan } from '@rubrica/json-stream';
import type { FastifyRequest } from 'fastify';
import type { IdentifiedRequest } from '../http/caller-keys.ts';
import type { SealedFile } from './files/seal-files.ts';

/** Request whose body is read, with its caller. */
export type BodyRequest = IdentifiedRequest & Pick<FastifyRequest, 'raw'>;

/** Limits of a body and the paths of its files; created once per operation. */
export interface BodyPlan extends DecodePlan {
  /** Maximum size of the whole body, in bytes. */
  readonly maxBytes: number;
  /** Files are checked but not stored. */
  readonly dropsFiles?: true;
}

/** File field as received. */
export type FileValue = AnyFileValue<SealedFile>;

/** Decoded body: files by their path (`evidences[0].evidenceFile`), other fields as plain JSON values. */
export type Body = Decoded<SealedFile>;

/** Body whose files are encrypted, with their key. */
export interface SealedBody extends Body {
  readonly fileKey: Buffer;
}

/**
 * Decodes a JSON body.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or BODY_MALFORMED, in this precedence; RATE_LIMITED or
 * SERVICE_UNAVAILABLE without memory for it
 */
export type ReadBody = (request: BodyRequest, plan: BodyPlan) => Promise<SealedBody>;
