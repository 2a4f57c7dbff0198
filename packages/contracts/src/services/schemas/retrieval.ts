import { z } from 'zod';
import { validationResultSchema } from '../../rest/transactional.ts';
import { statusSchema, validationStatusSchema } from '../../shared/enumerations.ts';
import { idSchema } from '../../shared/fields.ts';
import { renewalsShape } from '../../shared/status.ts';
import { grant } from './grants.ts';

/** Days from issuance for which a partner may fetch the file of a family that is retrieved. */
export const retrievalDays = 7;
/** Hours from the first retrieval on for which it may be repeated. */
export const repeatHours = 24;

const named = { requestId: idSchema, referenceTransaction: z.string() } as const;
const results = z.array(validationResultSchema);

/** What became of each check, as the record of the request has it. */
export const validationResultsOutput = z.object({
  ...named,
  status: statusSchema,
  validationStatus: validationStatusSchema,
  results,
  ...renewalsShape,
  /** Of the record: the ETag. */
  version: z.int(),
});
export type ValidationResults = z.infer<typeof validationResultsOutput>;

/**
 * Allows one retrieval; the first starts its clock. The file itself is generation's to release. Errors:
 * REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED before a certificate was issued, CERTIFICATE_NOT_FOUND after the
 * retention.
 */
export const openRetrievalOutput = z.object({ ...named, results, grant });
