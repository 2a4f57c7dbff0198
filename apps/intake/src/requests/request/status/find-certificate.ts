import type { CertificateState } from '@rubrica/contracts/services/schemas/generation';
import type { RowGuard } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { Peers } from '@rubrica/wiring';

export interface FindCertificateDeps {
  readonly peers: { readonly generation: Pick<Peers<'intake'>['generation'], 'certificates.byRequest'> };
}

/**
 * Finds the certificate of a request in generation's register, whose rows have a MAC. An event is a row of an
 * outbox, which has none: it only says when to ask.
 * @returns null if the request has no certificate
 * @throws AppError SERVICE_UNAVAILABLE if generation does not answer
 */
export async function findCertificate(
  { peers }: FindCertificateDeps,
  request: { readonly id: string; readonly partnerId: string },
): Promise<CertificateState | null> {
  const { id: requestId, partnerId } = request;
  try {
    return await peers.generation['certificates.byRequest']({ requestId, partnerId });
  } catch (err) {
    if (err instanceof AppError && err.code === 'CERTIFICATE_NOT_FOUND') return null;
    throw err;
  }
}

interface RevocationTarget {
  readonly id: string;
  readonly partnerId: string;
  readonly serialNumber: string | null;
  /** Serial number that the caller gave; no other one is revoked. */
  readonly named?: string | null | undefined;
}

/**
 * Finds the serial number to revoke, in generation's register. The request's copy has no MAC; if it differs,
 * its alarm is raised and the certificate is revoked all the same.
 * @returns null if the request has no certificate
 * @throws AppError CERTIFICATE_NOT_FOUND; SERVICE_UNAVAILABLE if generation does not answer
 */
export async function findSerialToRevoke(
  deps: FindCertificateDeps & { readonly rows: Pick<RowGuard, 'reportFailed'> },
  request: RevocationTarget,
): Promise<string | null> {
  const certificate = await findCertificate(deps, request);
  if (certificate === null && request.serialNumber === null) return null;
  if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  const { serialNumber } = certificate;
  if (serialNumber !== request.serialNumber) deps.rows.reportFailed({ table: 'request', id: request.id });
  const named = request.named?.toUpperCase();
  if (named !== undefined && named !== serialNumber) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  return serialNumber;
}

/**
 * Error for an event that generation's register contradicts: generation did not write it, and nothing may
 * follow from it.
 */
export class FalseEvent extends Error {
  override readonly name = 'FalseEvent';
  constructor(requestId: string) {
    super(`generation's register says otherwise of request ${requestId}`);
  }
}
