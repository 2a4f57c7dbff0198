import type { Database } from '@rubrica/database/connection';
import type { EntryMac } from '@rubrica/database/entries';
import type { RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import { isAuditedIssuance } from '../certificate/audited-issuance.ts';
import { certificateTable, type GuardedStatusRow, guardedStatusSql } from '../certificate/status-record.ts';
import { createReencodingLimits } from './limit-reencoding.ts';
import { type GrantDeps, readGrant } from './read-grant.ts';
import { needsReencoding, reencodeBundle } from './reencode-bundle.ts';

interface ReleasedRow {
  readonly requestId: string;
  readonly serial: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly sealed: string | null;
  readonly stored: GuardedStatusRow;
}

/**
 * Parameters of a release. A release to the notifier has no audit row, which would cost each delivery a commit: each
 * bundle with a webhook goes there once, and the notifier records its deliveries. Other releases are audited.
 */
interface ReleaseParams extends EntryMac {
  readonly requestId: string;
  readonly partnerId: string;
  readonly serial: string;
  readonly peer: string;
}

const release = statement<ReleaseParams, ReleasedRow>({
  name: 'release-bundle',
  sql: `
with found as (
  select c.request_id, c.attempt, c.serial, c.not_before, c.not_after,
    case when b.purge_at > now() then b.sealed end as sealed, ${guardedStatusSql('c')} as stored
  from certificate as c join bundle as b on b.certificate_id = c.id
  where c.serial = :serial and c.request_id = :requestId and c.partner_id = :partnerId
), audited as (
  insert into audit_entry (action, actor, request_id, serial, entry_id, mac)
  select 'bundle.released', 'service:' || :peer::text, request_id, serial, :entryId::uuid, :entryMac from found
  where sealed is not null and :peer::text <> 'notifier'
)
select request_id as "requestId", serial, not_before as "notBefore", not_after as "notAfter", sealed, stored from found`,
});

export interface ReleaseBundleDeps extends GrantDeps {
  readonly database: Pick<Database, 'statement' | 'entries'>;
  readonly keyring: Pick<Keyring, 'open' | 'sealTo' | 'verifyStatement'>;
  readonly rows: Pick<RowGuard, 'isIntact' | 'reportFailed'>;
}

/**
 * Checks that the bundle belongs to the certificate that it was written with. Another row with that serial number may
 * have a bundle that an attacker sealed. A row without a MAC comes from the previous release.
 */
async function isAuthentic(
  { stored }: ReleasedRow,
  { database, rows }: Pick<ReleaseBundleDeps, 'database' | 'rows'>,
): Promise<boolean> {
  if (stored.mac !== null) return rows.isIntact(certificateTable.name, { ...stored });
  if (await isAuditedIssuance(database, stored)) return true;
  rows.reportFailed({ table: certificateTable.name, id: stored.id });
  return false;
}

/**
 * Releases file and password of a request, sealed to the service that holds a grant of intake. They are in the clear
 * only between the two seals, and never written or logged. An expired bundle is not released, even if the sweeper has
 * not deleted it or a legal hold keeps it. The stored file is re-encoded where the caller asks for another encoding.
 * @throws AppError FORBIDDEN; CERTIFICATE_NOT_FOUND, also for a row that is not authentic; PAYLOAD_EXPIRED after the
 * retention; RATE_LIMITED and SERVICE_UNAVAILABLE for too many re-encodings
 */
export function createReleaseBundle(deps: ReleaseBundleDeps): UseCase<'generation', 'bundles.release'> {
  const { database, keyring, clock } = deps;
  const limits = createReencodingLimits(() => clock().getTime());
  return async ({ grant, encoding }, { peer }) => {
    const { requestId, partnerId, serial, allowsLegacy } = readGrant(
      grant,
      { purpose: 'release', peer },
      deps,
    );
    if (encoding === 'legacy' && allowsLegacy !== true) throw new AppError({ code: 'FORBIDDEN' });
    const entry = {
      action: 'bundle.released',
      actor: `service:${peer}`,
      request_id: requestId,
      serial,
      detail: {},
    };
    const mac = database.entries.protect(entry);
    const [row] = await release.run(database, { requestId, partnerId, serial, peer, ...mac });
    if (row === undefined || !(await isAuthentic(row, deps)))
      throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    if (row.sealed === null) throw new AppError({ code: 'PAYLOAD_EXPIRED' });
    const binding = { purpose: 'bundle', owner: row.requestId } as const;
    const content = await keyring.open(row.sealed, binding);
    let released: Uint8Array = content;
    try {
      if (encoding !== undefined && needsReencoding(content, encoding))
        released = await limits.run(row.serial, () => reencodeBundle(content, encoding));
      return {
        requestId,
        serialNumber: row.serial,
        notBefore: new Date(row.notBefore).toISOString(),
        notAfter: new Date(row.notAfter).toISOString(),
        sealed: await keyring.sealTo(peer, released, binding),
      };
    } finally {
      content.fill(0);
      released.fill(0);
    }
  };
}
