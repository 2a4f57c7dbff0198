import type { UseCase } from '@rubrica/wiring';
import { toCertificateState } from '../certificate/certificate-view.ts';
import { certificates } from '../certificate/certificates.repository.ts';
import type { RevokeForPartnerDeps } from './revoke-for-partner.ts';

/** Revokes a certificate that a renewal replaced. Intake calls this after issuance, as the partner requested. */
export function createRevokeSuperseded({
  database,
  changeStatus,
  clock,
  proof,
}: RevokeForPartnerDeps): UseCase<'generation', 'certificates.revokeSuperseded'> {
  return async ({ requestId, partnerId, serialNumber: serial }) => {
    const revoked = await changeStatus.atOnce(
      () => certificates(database.fork(), proof).ofPartner({ requestId, partnerId, serial }),
      { change: { kind: 'revoke', reason: 'superseded' }, actor: 'service:intake', comment: undefined },
    );
    return toCertificateState(revoked, clock());
  };
}
