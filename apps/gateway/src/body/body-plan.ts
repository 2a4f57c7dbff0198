import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import { recogniseType } from '@rubrica/contracts/shared/recognise-type';
import type { GatewayConfig } from '../config.ts';
import type { BodyPlan } from './body.ts';
import type { FileLimits } from './files/file-limits.ts';

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
