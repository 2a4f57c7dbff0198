import { z } from 'zod';
import { evidenceTypes } from '../../shared/enumerations.ts';
import { errorDetailSchema } from '../../shared/errors.ts';
import { idSchema, sealed, sha256Hex, text } from '../../shared/fields.ts';

/** Encrypted bytes as they are: they travel behind the JSON of a call. */
const storedContent = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** Stores of evidence outside of PostgreSQL. */
export const evidenceStores = ['nats', 's3'] as const;
export type EvidenceStoreName = (typeof evidenceStores)[number];

/**
 * Areas in S3: the gateway may write under `incoming/` only, and only intake uses `kept/`. The bucket of NATS has no
 * areas.
 */
const evidenceAreas = ['incoming', 'kept'] as const;
export type EvidenceArea = (typeof evidenceAreas)[number];

/** Entry of an object in one of the stores. */
const objectEntrySchema = z.object({
  /** Part of the chunks' subjects in NATS, `$O.EVIDENCE.C.<id>.<n>`; end of the key in S3, `<area>/<id>`. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  /** Number of chunks; in S3, parts of the upload. */
  chunks: z.int().min(1).max(100_000),
  sizeBytes: z.int().min(1),
  /** SHA-256 of all stored bytes. */
  sha256: sha256Hex,
  /** Absent: `nats`. */
  store: z.enum(evidenceStores).optional(),
  /** Absent: `incoming`. */
  area: z.enum(evidenceAreas).optional(),
});
export type EvidenceEntry = z.infer<typeof objectEntrySchema>;

/**
 * File as it crosses the bus: encrypted with the request's own key (AES-256-GCM, nonce first, tag last), either inside
 * the call (`content`) or in the object store (`object`).
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
  /** Field of the body that held the file, if it has a field of its own. */
  field: text(60).optional(),
  evidenceType: z.enum(evidenceTypes).optional(),
  validatorUrl: text(2048).optional(),
  file: storedFileSchema.optional(),
});
export type EvidenceReference = z.infer<typeof evidenceReferenceSchema>;

/** Files of one call, with their AES-256 key sealed to intake. */
export const evidenceBundleSchema = z.object({
  key: sealed,
  items: z.array(evidenceReferenceSchema).max(20),
  /** Evidences that could not be accepted; the request is accepted with these errors. */
  errors: z.array(errorDetailSchema).max(20),
});
export type EvidenceBundle = z.infer<typeof evidenceBundleSchema>;
