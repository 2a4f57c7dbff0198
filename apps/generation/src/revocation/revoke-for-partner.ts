import type { Database } from '@rubrica/database/connection';
import type { Clock } from '@rubrica/process/time';
import type { UseCase } from '@rubrica/wiring';
import { toCertificateState } from '../certificate/certificate-view.ts';
import { certificates } from '../certificate/certificates.repository.ts';
import type { StatusProof } from '../certificate/status-proof.ts';
import type { ChangeStatus } from './change-status.ts';

export interface RevokeForPartnerDeps {
  readonly database: Pick<Database, 'fork'>;
  readonly changeStatus: ChangeStatus;
  readonly proof: Pick<StatusProof, 'prove' | 'isLost' | 'isIssuedOtherwise'>;
  readonly clock: Clock;
}

/**
 * Revokes a certificate for its partner. Intake calls this after checking that the partner owns the certificate; the
 * query checks it too.
 */
export function createRevokeForPartner({
  database,
  changeStatus,
  clock,
  proof,
}: RevokeForPartnerDeps): UseCase<'generation', 'certificates.revoke'> {
  return async (
    { requestId, serialNumber: serial, reason, comment },
    { caller: { partnerId, clientId } },
  ) => {
    const revoked = await changeStatus.atOnce(
      () => certificates(database.fork(), proof).ofPartner({ requestId, partnerId, serial }),
      { change: { kind: 'revoke', reason }, actor: `partner:${clientId}`, comment },
    );
    return toCertificateState(revoked, clock());
  };
}
