import type * as generationContract from '@rubrica/contracts/services/schemas/generation';
import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { AppError, type PartnerCaller } from '@rubrica/process';
import type { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';
import { requestNotFound, stateNotAllowed } from '../errors.ts';
import { findOwnBySerialOrReference } from '../request/request.repository.ts';
import { noteCertificate } from '../request/status/certificate-state.ts';

type Input = z.output<typeof intakeContract.revokeCertificateInput>;

/**
 * Finds the partner's own certificate and has generation revoke it: intake knows whose a request is, generation what
 * may be done to its certificate.
 * @throws AppError REQUEST_NOT_FOUND or CERTIFICATE_NOT_FOUND (another partner's too),
 *   REQUEST_STATE_NOT_ALLOWED, CERTIFICATE_ALREADY_REVOKED, SERVICE_UNAVAILABLE
 */
export function createRevokeCertificate({
  database,
  generation,
  logger,
}: Pick<Dependencies, 'database' | 'generation' | 'logger'>) {
  return async (
    { serialNumber, referenceTransaction, reason, comment }: Input,
    { partnerId, clientId }: PartnerCaller,
  ): Promise<generationContract.CertificateState> => {
    const own = { partnerId, serialNumber, referenceTransaction };
    const request = await findOwnBySerialOrReference(database.fork(), own);
    if (!request)
      throw serialNumber === undefined ? requestNotFound() : new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    if (request.serialNumber === null) throw stateNotAllowed(request.status);
    const revoked = await generation.revokeCertificate({
      requestId: request.id,
      serialNumber: request.serialNumber,
      reason,
      clientId,
      ...(comment === undefined ? {} : { comment }),
    });
    // It is revoked, whatever becomes of the copy; the next status query mends it.
    await noteCertificate(database, request, revoked).catch((err: unknown) =>
      logger.warn({ err }, 'the copy of a certificate state could not be written'),
    );
    return revoked;
  };
}
