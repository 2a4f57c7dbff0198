import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { findUncertifiable } from '../../base/certified-text.ts';
import type { Request } from './request.entity.ts';

/** Returns whether the failed step of a request may succeed without new data. */
export function canRerun({ errorCode, details }: Pick<Request, 'errorCode' | 'details'>): boolean {
  if (errorCode === null || !errorCatalogue[errorCode].retryable) return false;
  return errorCode !== 'CERTIFICATE_LINT_FAILED' || findUncertifiable(details).length === 0;
}
