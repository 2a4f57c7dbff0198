import type { OperatorOutput } from '@rubrica/contracts';
import type { Database } from '@rubrica/database';
import { AppError, type Clock } from '@rubrica/service';
import { certificates } from '../store/certificates.repository.ts';
import { toOperatorsRow, toPem } from './certificate-view.ts';

/** One certificate with its public file. @throws AppError CERTIFICATE_NOT_FOUND */
export async function getCertificate(
  { database, clock }: { database: Pick<Database, 'fork'>; clock: Clock },
  id: string,
): Promise<OperatorOutput<'certificates.get'>> {
  const certificate = await certificates(database.fork()).byId(id);
  if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  return { ...toOperatorsRow(certificate, clock()), pem: toPem(certificate.der) };
}
