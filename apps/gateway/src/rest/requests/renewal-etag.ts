import { createHash } from 'node:crypto';
import type { StatusRecord } from '@rubrica/contracts/shared/status';

/**
 * Returns the part of an ETag that changes with the renewal of a certificate, which is not a new version of its
 * request.
 */
export function formatRenewalTag({ renewedBy }: Pick<StatusRecord, 'renewedBy'>): string | null {
  if (renewedBy === undefined) return null;
  const { referenceTransaction, serialNumber } = renewedBy;
  const renewal = JSON.stringify([referenceTransaction, serialNumber]);
  return createHash('sha256').update(renewal).digest('base64url').slice(0, 12);
}
