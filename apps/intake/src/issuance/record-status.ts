import type { Message } from '@rubrica/contracts/messages/messages';
import { statement } from '@rubrica/database';
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
    await recordStatus.run(database, {
      ...{ requestId, version, reason },
      status: status === 'VALID' ? 'VALID' : 'REVOKED',
      revokedAt: status === 'REVOKED' ? at : null,
    });
  };
}
