import type { Message } from '@rubrica/contracts/messages/messages';
import { isUniqueViolation, statement } from '@rubrica/database';
import type { IntakeDeps } from '../context.ts';

type Event = Message<'events.certificate.status'>;

/** An event that comes twice, or after a later one, changes nothing. A copy without its reason is older than the event. */
const recordStatus = statement<{
  requestId: string;
  version: number;
  status: 'VALID' | 'REVOKED';
  reason: Event['reason'];
  revokedAt: Event['at'];
}>({
  name: 'record-certificate-status',
  groupCommit: true,
  sql: `update request set certificate_status = :status, certificate_version = :version,
    revocation_reason = :reason, revoked_at = :revokedAt
    where id = :requestId and (certificate_version < :version
      or (certificate_version = :version and revocation_reason is distinct from :reason))`,
});

/** Writes down how a certificate stands, whoever has changed it: a certificate on hold is shown as revoked. */
export function createRecordStatus({ database }: Pick<IntakeDeps, 'database'>) {
  return async ({ requestId, version, status, reason, at }: Event): Promise<undefined> => {
    const shown = status === 'VALID' ? 'VALID' : 'REVOKED';
    const revokedAt = status === 'REVOKED' ? at : null;
    try {
      await recordStatus.run(database, { requestId, version, reason, status: shown, revokedAt });
    } catch (error) {
      // A renewal that was released from hold, while its former was renewed once more: that one stays the only one.
      if (!isUniqueViolation(error, 'request_renewal_of')) throw error;
    }
  };
}
