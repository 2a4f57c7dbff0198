import { z } from 'zod';
import { idSchema, sealed, text } from '../../shared/fields.ts';
import { storedFileSchema } from './evidence.ts';

/**
 * One opening of a link to an evidence, asked by the gateway; it is audited before it is answered. A link that nobody
 * was given, whose time is over, whose operator may no longer review, or that `operatorId` does not own is
 * ROUTE_NOT_FOUND; PAYLOAD_EXPIRED where the evidence was erased.
 */
export const openEvidenceInput = z.object({
  /** The token in the link's address, sealed to intake. */
  sealedToken: sealed,
  /** Who is signed in where the link is opened, as far as the browser says so. */
  operatorId: idSchema.optional(),
  remoteAddress: text(64),
});

/** The file as it is stored, and the key it is encrypted with. */
export const openedEvidence = z.object({
  requestId: idSchema,
  evidenceId: idSchema,
  file: storedFileSchema,
  /** AES-256, sealed to gateway. */
  sealedKey: sealed,
  /** Reads the object for a minute, where the gateway has no right to. */
  address: text(4096).optional(),
});
export type OpenedEvidence = z.infer<typeof openedEvidence>;
