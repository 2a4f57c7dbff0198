import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { requestNotFound, stateNotAllowed } from '../../base/errors.ts';
import type { RequestsDeps } from '../deps.ts';
import { verifyData } from '../request/registered/verify-request.ts';
import { findOwnBySerialOrReference } from '../request/request.repository.ts';
import { noteCertificate } from '../request/status/certificate-state.ts';
import { findSerialToRevoke } from '../request/status/find-certificate.ts';

type RevokeCertificate = UseCase<'intake', 'certificates.revoke'>;

/**
 * Finds the partner's own certificate and has generation revoke it. Intake knows to whom a request belongs,
 * generation what may be done to its certificate.
 * @throws AppError REQUEST_NOT_FOUND or CERTIFICATE_NOT_FOUND (another partner's too),
 *   REQUEST_STATE_NOT_ALLOWED, CERTIFICATE_ALREADY_REVOKED, SERVICE_UNAVAILABLE
 */
export function createRevokeCertificate(
  deps: Pick<RequestsDeps, 'database' | 'peers' | 'rows' | 'logger'>,
): RevokeCertificate {
  const { database, peers, logger } = deps;
  return async ({ serialNumber, referenceTransaction, reason, comment }, { caller }) => {
    const certificateKey = { partnerId: caller.partnerId, serialNumber, referenceTransaction };
    const request = await findOwnBySerialOrReference(database.fork(), certificateKey);
    if (!request)
      throw serialNumber === undefined ? requestNotFound() : new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    // The MAC covers the owner of a reference: two exchanged references would have the wrong certificate
    // revoked.
    if (referenceTransaction !== undefined) await verifyData(database, deps.rows, request);
    const { id, partnerId } = request;
    const certified = { id, partnerId, serialNumber: request.serialNumber, named: serialNumber };
    const serial = await findSerialToRevoke(deps, certified);
    if (serial === null) throw stateNotAllowed(request.status);
    const target = { requestId: id, serialNumber: serial };
    const input = { ...target, reason, ...(comment === undefined ? {} : { comment }) };
    const revoked = await peers.generation['certificates.revoke'](input, { for: caller });
    // The certificate is revoked, whatever happens to the copy; the next status query repairs it.
    await noteCertificate(database, request, revoked).catch((err: unknown) =>
      logger.warn({ err }, 'copy of a certificate state not written'),
    );
    return revoked;
  };
}
