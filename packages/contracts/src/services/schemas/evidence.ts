import { z } from 'zod';
import { evidenceTypes } from '../../shared/enumerations.ts';
import { errorDetailSchema } from '../../shared/errors.ts';
import { idSchema, sealed, sha256Hex, text } from '../../shared/fields.ts';

/** As it is: bytes travel behind the JSON of a call. */
const storedContent = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** Where evidence can rest outside of PostgreSQL. */
export const evidenceStores = ['nats', 's3'] as const;
export type EvidenceStoreName = (typeof evidenceStores)[number];

/** In S3 the gateway may put under `incoming/` only, and `kept/` is intake's alone. The bucket of NATS has no areas. */
const evidenceAreas = ['incoming', 'kept'] as const;
export type EvidenceArea = (typeof evidenceAreas)[number];

/**
 * An object of the evidence store. The gateway writes bytes and nothing else there; this entry is kept in intake's row
 * of the evidence, so that nobody who may write to the store can put other bytes in their place.
 */
const objectEntrySchema = z.object({
  /** In NATS of the chunks' subjects, `$O.EVIDENCE.C.<id>.<n>`; in S3 the end of the key, `<area>/<id>`. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  /** In S3: parts of the upload. */
  chunks: z.int().min(1).max(100_000),
  sizeBytes: z.int().min(1),
  /** Of all bytes as they are stored. */
  sha256: sha256Hex,
  /** Absent: `nats`. */
  store: z.enum(evidenceStores).optional(),
  /** Absent: `incoming`. */
  area: z.enum(evidenceAreas).optional(),
});
export type EvidenceEntry = z.infer<typeof objectEntrySchema>;

/**
 * A file as it crosses the bus: encrypted with the request's own key (AES-256-GCM, nonce first, tag last), either
 * inside the call (`content`) or in the object store (`object`).
 */
export const storedFileSchema = z.object({
  mediaType: text(100),
  size: z.int().min(0),
  sha256: sha256Hex,
  content: storedContent.optional(),
  object: objectEntrySchema.optional(),
});
export type StoredFile = z.infer<typeof storedFileSchema>;

const evidenceReferenceSchema = z.object({
  evidenceId: idSchema,
  /** The field of the body that the file came in, where it has one of its own. */
  field: text(60).optional(),
  evidenceType: z.enum(evidenceTypes).optional(),
  validatorUrl: text(2048).optional(),
  file: storedFileSchema.optional(),
});
export type EvidenceReference = z.infer<typeof evidenceReferenceSchema>;

/** Files of one call and the AES-256 key they are encrypted with, sealed to intake. */
export const evidenceBundleSchema = z.object({
  key: sealed,
  items: z.array(evidenceReferenceSchema).max(20),
  /** Evidences that could not be taken; the request is accepted with these errors. */
  errors: z.array(errorDetailSchema).max(20),
});
export type EvidenceBundle = z.infer<typeof evidenceBundleSchema>;
