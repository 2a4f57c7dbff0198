import { type AuditEntry, insertEntriesSql, protectEntry } from '@rubrica/audit/log';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import { crashPoints } from '../../../base/crash-points.ts';
import type { RequestsDeps } from '../../deps.ts';
import {
  isAuthentic,
  registeredSql,
  type StoredRegistration,
} from '../../request/registered/registered-data.ts';
import { historySql, type RequestHistory } from '../../request/registered/request-history.ts';
import { supersedesSql } from '../../request/renewals.ts';
import { noteCertificate } from '../../request/status/certificate-state.ts';

/**
 * Seconds until a row is tried again, longer than a revocation may take. Work that a copy held when it died
 * is repeated after them.
 */
const againAfterSeconds = 30;
const batchRows = 20;
/** Maximum number of batches in one run, so that it ends however many rows the database's role makes due. */
const maxBatches = 500;

interface Superseding {
  /** Id of the renewal. */
  readonly renewalId: string;
  /** Id of the request whose certificate is revoked. */
  readonly id: string;
  readonly serialNumber: string;
  readonly certificateVersion: number;
  /** Registration of the renewal. */
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
}

/** Row that is due. The former request is null if the database's role has written the row. */
type TakenRow = Omit<Superseding, 'id'> & { readonly id: string | null };

const take = statement<{ readonly againAfterSeconds: number }, TakenRow>({
  name: 'take-superseded',
  sql: `
with taken as (
  update request set supersede_due_at = now() + make_interval(secs => :againAfterSeconds::integer)
  where id in (
    select id from request where supersede_due_at <= now() and ${supersedesSql}
    order by supersede_due_at limit ${batchRows} for update skip locked
  ) returning request.*
)
select taken.id as "renewalId", former.id,
  former.serial_number as "serialNumber", former.certificate_version as "certificateVersion",
  ${registeredSql('taken')} as stored, ${historySql('taken.id')} as history
from taken left join request as former on former.id = taken.renewal_of`,
});

/** Writes the audit entry, then the end that rests on it: `keep_renewal` lets nothing else end it. */
const finish = statement<{ readonly renewalId: string; readonly entries: string }>({
  name: 'finish-superseded',
  sql: `
with entry as (${insertEntriesSql({ entries: ':entries' })} returning 1)
update request set supersede_due_at = null from entry where request.id = :renewalId returning 1`,
});

export interface SupersedeDeps extends Pick<RequestsDeps, 'peers' | 'rows'> {
  readonly database: Pick<Database, 'statement' | 'entries'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Codes after which nothing is left to do: the certificate is revoked already, or its end has passed. */
const finalCodes: readonly string[] = ['CERTIFICATE_ALREADY_REVOKED', 'REQUEST_STATE_NOT_ALLOWED'];

/**
 * Revokes the certificates that an issued renewal replaces. Repeating it changes nothing, so a crash has it
 * repeated.
 */
export async function supersedeFormer(deps: SupersedeDeps): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const rows = await take.run(deps.database, { againAfterSeconds });
    await supersedeEach(rows, deps);
    if (rows.length < batchRows) return;
  }
}

async function supersedeEach(taken: readonly TakenRow[], deps: SupersedeDeps): Promise<void> {
  const { database, logger } = deps;
  for (const { id, ...rest } of taken) {
    // A renewal has the former certificate revoked only if it was registered as superseding it.
    if (!isAuthentic(deps.rows, rest.stored, rest.history) || rest.stored.supersedes !== true) continue;
    if (id === null) {
      deps.rows.reportFailed({ table: 'request', id: rest.renewalId });
      continue;
    }
    const row = { ...rest, id };
    try {
      await revoke(deps, row);
    } catch (err) {
      logger.warn({ err, subject: row.id }, 'certificate not superseded; will be retried');
      continue;
    }
    crashpoint(crashPoints.afterSuperseded);
    const entry = protectEntry(database.entries, toEntry(row));
    await finish.run(database, { renewalId: row.renewalId, entries: JSON.stringify([entry]) });
  }
}

function toEntry({ renewalId, id, serialNumber }: Superseding): AuditEntry {
  return {
    actor: 'service:intake',
    action: 'certificates.supersede',
    target: `request:${renewalId}`,
    details: { superseded: id, serialNumber },
  };
}

async function revoke({ database, peers, rows }: SupersedeDeps, former: Superseding): Promise<void> {
  const { id: requestId, renewalId, stored } = former;
  const partnerId = String(stored.partner_id);
  // The authority confirms that the renewal was issued; the row is no proof.
  await peers.generation['certificates.byRequest']({ requestId: renewalId, partnerId });
  // It confirms the former certificate too: another serial number in the row would leave that one in force.
  const { serialNumber } = await peers.generation['certificates.byRequest']({ requestId, partnerId });
  if (serialNumber !== former.serialNumber) rows.reportFailed({ table: 'request', id: requestId });
  try {
    const certificate = { requestId, partnerId, serialNumber };
    const revoked = await peers.generation['certificates.revokeSuperseded'](certificate);
    await noteCertificate(database, former, revoked);
  } catch (err) {
    if (!(err instanceof AppError && finalCodes.includes(err.code))) throw err;
  }
}
