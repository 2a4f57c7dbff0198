import { z } from 'zod';
import { validationResultSchema } from '../../rest/transactional.ts';
import { statusSchema, validationStatusSchema } from '../../shared/enumerations.ts';
import { idSchema } from '../../shared/fields.ts';
import { renewalsShape } from '../../shared/status.ts';
import { grant } from './grants.ts';

/** Days after issuance for which a partner may fetch the file, for families with retrieval. */
export const retrievalDays = 7;
/** Hours after the first retrieval for which it may be repeated. */
export const repeatHours = 24;

const requestShape = { requestId: idSchema, referenceTransaction: z.string() } as const;
const results = z.array(validationResultSchema);

/** Result of each check, as the record of the request has it. */
export const validationResultsOutput = z.object({
  ...requestShape,
  status: statusSchema,
  validationStatus: validationStatusSchema,
  results,
  ...renewalsShape,
  /** Version of the record: the ETag. */
  version: z.int(),
});
export type ValidationResults = z.infer<typeof validationResultsOutput>;

/**
 * Allows one retrieval; the first starts the retrieval period. Generation releases the file. Errors: REQUEST_NOT_FOUND,
 * REQUEST_STATE_NOT_ALLOWED before a certificate was issued, CERTIFICATE_NOT_FOUND after the retention.
 */
export const openRetrievalOutput = z.object({ ...requestShape, results, grant });
