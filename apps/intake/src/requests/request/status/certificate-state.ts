import type * as generationContract from '@rubrica/contracts/services/schemas/generation';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { CertificateStatus } from '@rubrica/contracts/shared/enumerations';
import { type Database, statement } from '@rubrica/database';
import { AppError, type Clock, type Logger } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';

/** The certificate as the status record shows it. */
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
  /** By the sandbox's clock, since it was issued. */
  readonly certificateAdvancedDays: number;
}

interface Needs {
  readonly peers: Pick<Peers<'intake'>, 'generation'>;
  readonly database: Pick<Database, 'statement'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** The certificate as generation knows it; while generation is down, what intake last knew. */
export async function certificateOf(request: KnownCertificate, deps: Needs): Promise<ShownCertificate> {
  if (request.serialNumber === null)
    return { serialNumber: null, notBefore: null, notAfter: null, certificateStatus: null };
  try {
    return await presentCertificateOf(request, deps);
  } catch (err) {
    deps.logger.warn({ err }, 'generation does not answer; the last known certificate state is shown');
  }
  return atTimeOf(request, lastKnown(request), deps.clock());
}

/**
 * The certificate as generation knows it now.
 * @throws AppError SERVICE_UNAVAILABLE where generation does not answer
 */
export async function presentCertificateOf(
  request: KnownCertificate,
  deps: Needs,
): Promise<ShownCertificate> {
  const { id: requestId, partnerId } = request;
  try {
    const state = await deps.peers.generation['certificates.byRequest']({ requestId, partnerId });
    return atTimeOf(request, await noted(request, state, deps), deps.clock());
  } catch (err) {
    // Generation has lost nothing: it has not recorded this certificate, or no longer keeps it.
    const isUnknown = err instanceof AppError && err.code === 'CERTIFICATE_NOT_FOUND';
    if (!isUnknown) throw err;
    return atTimeOf(request, lastKnown(request), deps.clock());
  }
}

async function noted(
  request: KnownCertificate,
  state: generationContract.CertificateState,
  { database, logger }: Needs,
): Promise<ShownCertificate> {
  // Where the copy cannot be written the partner still gets generation's answer.
  await noteCertificate(database, request, state).catch((err: unknown) =>
    logger.warn({ err }, 'the copy of a certificate state could not be written'),
  );
  return {
    serialNumber: state.serialNumber,
    notBefore: new Date(state.notBefore),
    notAfter: new Date(state.notAfter),
    certificateStatus: state.status,
  };
}

/**
 * A status that was under way for long never replaces a later one. A renewal that was on hold and whose place another has
 * taken meanwhile stays noted as it was: generation alone knows that it was released.
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

/** Keeps what generation said, for when it does not answer. */
export async function noteCertificate(
  database: Pick<Database, 'statement'>,
  { id, certificateVersion }: Pick<KnownCertificate, 'id' | 'certificateVersion'>,
  { status, version }: Pick<generationContract.CertificateState, 'status' | 'version'>,
): Promise<void> {
  // Nearly every question is answered as the one before it: no write then.
  if (version <= certificateVersion) return;
  await note.run(database, { id, status, version });
}

function lastKnown(request: KnownCertificate): ShownCertificate {
  const { serialNumber, notBefore, notAfter, certificateStatus } = request;
  return {
    serialNumber,
    notBefore,
    notAfter,
    certificateStatus: certificateStatus === 'REVOKED' ? 'REVOKED' : 'VALID',
  };
}

/** Its dates are what was signed; whether they are over is seen by the clock of the request. */
function atTimeOf(request: KnownCertificate, shown: ShownCertificate, now: Date): ShownCertificate {
  const { notAfter, certificateStatus } = shown;
  const isPast =
    notAfter !== null && notAfter.getTime() - request.certificateAdvancedDays * DAY_MS < now.getTime();
  return isPast && certificateStatus === 'VALID' ? { ...shown, certificateStatus: 'EXPIRED' } : shown;
}
