import { z } from 'zod';
import { idSchema, sealed, text } from '../../shared/fields.ts';
import { storedFileSchema } from './evidence.ts';

/**
 * Opens a link to an evidence once, for the gateway; the opening is audited before the answer. ROUTE_NOT_FOUND for a
 * link that is unknown or has ended, whose operator may no longer review, or that `operatorId` does not own;
 * PAYLOAD_EXPIRED if the evidence was erased.
 */
export const openEvidenceInput = z.object({
  /** Token in the link's address, sealed to intake. */
  sealedToken: sealed,
  /** Operator who is signed in where the link is opened, as reported by the browser. */
  operatorId: idSchema.optional(),
  remoteAddress: text(64),
});

/** File as it is stored, with its encryption key. */
export const openedEvidence = z.object({
  requestId: idSchema,
  evidenceId: idSchema,
  file: storedFileSchema,
  /** AES-256 key, sealed to gateway. */
  sealedKey: sealed,
  /** Address that reads the object for a minute, if the gateway may not read the store. */
  address: text(4096).optional(),
});
export type OpenedEvidence = z.infer<typeof openedEvidence>;
