import type { UseCase } from '@rubrica/wiring';
import { toCertificateState } from '../certificate/certificate-view.ts';
import { certificates } from '../certificate/certificates.repository.ts';
import type { RevokeForPartnerDeps } from './revoke-for-partner.ts';

/** Revokes a certificate for its subscriber. Intake calls this after the subscriber entered the code sent by SMS. */
export function createRevokeForSubscriber({
  database,
  changeStatus,
  clock,
  proof,
}: RevokeForPartnerDeps): UseCase<'generation', 'certificates.revokeForSubscriber'> {
  return async ({ requestId, partnerId, serialNumber: serial, reason }) => {
    const revoked = await changeStatus.atOnce(
      () => certificates(database.fork(), proof).ofPartner({ requestId, partnerId, serial }),
      { change: { kind: 'revoke', reason }, actor: 'applicant', comment: undefined },
    );
    return toCertificateState(revoked, clock());
  };
}
