import type { CertificateState } from '@rubrica/contracts/services/schemas/generation';
import { AppError } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';

export interface FindCertificateDeps {
  readonly peers: { readonly generation: Pick<Peers<'intake'>['generation'], 'certificates.byRequest'> };
}

/**
 * The certificate of a request by generation's register, whose rows have a MAC. An event is a row of an outbox, which has none:
 * it says when to ask.
 * @returns null where the request has no certificate
 * @throws AppError SERVICE_UNAVAILABLE where generation does not answer
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

/** An event that generation's register contradicts: generation did not write it, and nothing may follow from it. */
export class FalseEvent extends Error {
  override readonly name = 'FalseEvent';
  constructor(requestId: string) {
    super(`generation's register says otherwise of request ${requestId}`);
  }
}
