import type * as generationContract from '@rubrica/contracts/services/schemas/generation';
import type { Database } from '@rubrica/database';
import { AppError, type Clock } from '@rubrica/process';
import { toCertificateState } from './certificate-view.ts';
import { certificates } from './certificates.repository.ts';

/** State of a request's certificate now. @throws AppError CERTIFICATE_NOT_FOUND */
export async function certificateByRequest(
  { database, clock }: { database: Pick<Database, 'fork'>; clock: Clock },
  requestId: string,
): Promise<generationContract.CertificateState> {
  const certificate = await certificates(database.fork()).ofRequest(requestId);
  if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  return toCertificateState(certificate, clock());
}
