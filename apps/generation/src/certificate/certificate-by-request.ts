import type { Database } from '@rubrica/database/connection';
import { AppError } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import type { UseCase } from '@rubrica/wiring';
import { toCertificateState } from './certificate-view.ts';
import { certificates } from './certificates.repository.ts';
import type { StatusProof } from './status-proof.ts';

export interface CertificateByRequestDeps {
  readonly database: Pick<Database, 'fork'>;
  readonly proof: Pick<StatusProof, 'prove' | 'isLost' | 'isIssuedOtherwise'>;
  readonly clock: Clock;
}

type CertificateByRequest = UseCase<'generation', 'certificates.byRequest'>;

/**
 * Returns the current state of the certificate of a partner's request.
 * @throws AppError CERTIFICATE_NOT_FOUND
 */
export function createCertificateByRequest({
  database,
  clock,
  proof,
}: CertificateByRequestDeps): CertificateByRequest {
  return async (own) => {
    const certificate = await certificates(database.fork(), proof).ofRequest(own);
    if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    return toCertificateState(certificate, clock());
  };
}
