import { simplifiedShape, transactionalShape } from '@rubrica/contracts';
import { evidenceFilePlace } from '../evidence/check-evidences.ts';
import type { PlainFamily } from './register-request.ts';

export const transactional: PlainFamily = {
  operation: 'registerTransactional',
  family: 'FT',
  shape: transactionalShape,
  takesPassword: true,
  // Callers of the linked-partner family send the same body here.
  ignoredFiles: [evidenceFilePlace],
};

export const simplified: PlainFamily = {
  operation: 'registerSimplified',
  family: 'FS',
  shape: simplifiedShape,
  takesPassword: false,
};
