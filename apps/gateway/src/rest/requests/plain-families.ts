import { signatureRequestShape } from '@rubrica/contracts/rest/api-flow';
import { simplifiedShape } from '@rubrica/contracts/rest/simplified';
import { transactionalShape } from '@rubrica/contracts/rest/transactional';
import { formatLocalDateTime } from '@rubrica/process/time';
import { evidenceFilePath } from '../evidence/check-evidences.ts';
import type { PlainFamily } from './register-request.ts';

export const transactional: PlainFamily = {
  operation: 'registerTransactional',
  family: 'FT',
  shape: transactionalShape,
  takesPassword: true,
  // Callers of the linked-partner family send the same body here.
  ignoredFiles: [evidenceFilePath],
};

export const simplified: PlainFamily = {
  operation: 'registerSimplified',
  family: 'FS',
  shape: simplifiedShape,
  takesPassword: false,
};

/** Family of the API flow. Its later steps have files. */
export const isApiFlow: PlainFamily = {
  operation: 'requestSignature',
  family: 'API',
  shape: signatureRequestShape,
  takesPassword: true,
  ignoredFiles: [evidenceFilePath],
  acceptsTerms: true,
  answerFields: ({ status, expiresAt }, timeZone) => ({
    status,
    nextStep: 'IDENTITY_VALIDATION',
    ...(expiresAt === undefined ? {} : { expiresAt: formatLocalDateTime(new Date(expiresAt), timeZone) }),
  }),
};
