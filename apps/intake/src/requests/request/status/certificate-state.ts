import type * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { CertificateStatus } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import type { Peers } from '@rubrica/wiring';

/** Certificate as the status record shows it. */
export interface ShownCertificate {
  readonly serialNumber: string | null;
  readonly notBefore: Date | null;
  readonly notAfter: Date | null;
  readonly certificateStatus: CertificateStatus | null;
}

export interface KnownCertificate extends ShownCertificate {
  readonly id: string;
  readonly partnerId: string;
  readonly certificateVersion: number;
  /** Days by the sandbox's clock, since it was issued. */
  readonly certificateAdvancedDays: number;
}

interface CertificateDeps {
  readonly peers: Pick<Peers<'intake'>, 'generation'>;
  readonly database: Pick<Database, 'statement'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Returns the certificate as generation knows it; while generation is down, intake's last copy. */
export async function findShownCertificate(
  request: KnownCertificate,
  deps: CertificateDeps,
): Promise<ShownCertificate> {
  if (request.serialNumber === null)
    return { serialNumber: null, notBefore: null, notAfter: null, certificateStatus: null };
  try {
    return await fetchCertificate(request, deps);
  } catch (err) {
    deps.logger.warn({ err }, 'certificate state not received; last known state shown');
  }
  return applyClock(request, toLastKnown(request), deps.clock());
}

/**
 * Returns the certificate as generation knows it now.
 * @throws AppError SERVICE_UNAVAILABLE if generation does not answer
 */
export async function fetchCertificate(
  request: KnownCertificate,
  deps: CertificateDeps,
): Promise<ShownCertificate> {
  const { id: requestId, partnerId } = request;
  try {
    const state = await deps.peers.generation['certificates.byRequest']({ requestId, partnerId });
    return applyClock(request, await storeCopy(request, state, deps), deps.clock());
  } catch (err) {
    // Generation has lost nothing: it has not recorded this certificate, or no longer keeps it.
    const isUnknown = err instanceof AppError && err.code === 'CERTIFICATE_NOT_FOUND';
    if (!isUnknown) throw err;
    return applyClock(request, toLastKnown(request), deps.clock());
  }
}

async function storeCopy(
  request: KnownCertificate,
  state: generationContract.CertificateState,
  { database, logger }: CertificateDeps,
): Promise<ShownCertificate> {
  // If the copy cannot be written the partner still gets generation's answer.
  await noteCertificate(database, request, state).catch((err: unknown) =>
    logger.warn({ err }, 'copy of a certificate state not written'),
  );
  return {
    serialNumber: state.serialNumber,
    notBefore: new Date(state.notBefore),
    notAfter: new Date(state.notAfter),
    certificateStatus: state.status,
  };
}

/**
 * Updates the copy. A status that was delayed never replaces a later one. A renewal on hold that another has
 * replaced in between keeps its copy: generation alone knows that it was released.
 */
const note = statement<
  Pick<KnownCertificate, 'id'> & Pick<generationContract.CertificateState, 'status' | 'version'>
>({
  name: 'note-certificate',
  sql: `update request set certificate_status = :status, certificate_version = :version
where id = :id and certificate_version < :version and (renewal_of is null or :status = 'REVOKED' or not exists (
  select from request as other where other.renewal_of = request.renewal_of and other.id <> request.id
    and other.status not in ('CANCELLED', 'REFUSED', 'EXPIRED') and other.certificate_status is distinct from 'REVOKED'
))`,
});

/** Stores generation's answer, for when it does not answer. */
export async function noteCertificate(
  database: Pick<Database, 'statement'>,
  { id, certificateVersion }: Pick<KnownCertificate, 'id' | 'certificateVersion'>,
  { status, version }: Pick<generationContract.CertificateState, 'status' | 'version'>,
): Promise<void> {
  // Nearly every answer is the same as the one before it: nothing is written then.
  if (version <= certificateVersion) return;
  await note.run(database, { id, status, version });
}

function toLastKnown(request: KnownCertificate): ShownCertificate {
  const { serialNumber, notBefore, notAfter, certificateStatus } = request;
  return {
    serialNumber,
    notBefore,
    notAfter,
    certificateStatus: certificateStatus === 'REVOKED' ? 'REVOKED' : 'VALID',
  };
}

/** Applies the clock of the request, which decides whether the signed dates have passed. */
function applyClock(request: KnownCertificate, shown: ShownCertificate, now: Date): ShownCertificate {
  const { notAfter, certificateStatus } = shown;
  const isPast =
    notAfter !== null && notAfter.getTime() - request.certificateAdvancedDays * DAY_MS < now.getTime();
  return isPast && certificateStatus === 'VALID' ? { ...shown, certificateStatus: 'EXPIRED' } : shown;
}
