import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import { type FileClass, recogniseType } from '@rubrica/contracts/shared/recognise-type';
import type { FileValue as AnyFileValue, Decoded, DecodePlan } from '@rubrica/json-stream';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.ts';
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
 * Creates the plan of an operation's body: the configured limit or that of the contract, and the paths of its files.
 */
export function createOperationBodyPlan(
  id: OperationId,
  limits: GatewayConfig['limits'],
  files: readonly string[] = [],
): BodyPlan {
  const { maxBodyBytes } = operations[id];
  return createBodyPlan({ maxBodyBytes: limits.bodyBytes[id] ?? maxBodyBytes }, limits, files);
}

export function createBodyPlan(
  { maxBodyBytes }: { readonly maxBodyBytes: number },
  limits: GatewayConfig['limits'],
  files: readonly string[] = [],
): BodyPlan {
  return {
    maxBytes: maxBodyBytes,
    maxFieldBytes: limits.fieldBytes,
    maxBytesOf: (head) => maxBytesByType(head, fileLimits(limits)),
    files,
  };
}

/** Maximum decoded file size by class, in bytes. */
export type FileLimits = Readonly<Record<FileClass, number>>;

export function fileLimits({ imageBytes, pdfBytes, videoBytes }: GatewayConfig['limits']): FileLimits {
  return { image: imageBytes, pdf: pdfBytes, video: videoBytes };
}

/**
 * Returns the size limit by the first bytes of a file. An unknown type is refused later; until then the largest limit
 * applies.
 */
function maxBytesByType(head: Uint8Array, limits: FileLimits): number {
  const type = recogniseType(head);
  return type === undefined ? Math.max(...Object.values(limits)) : limits[type.fileClass];
}
