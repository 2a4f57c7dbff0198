import { type AuditEntry, type Database, insertEntriesSql, protectEntry, statement } from '@rubrica/database';
import { AppError, crashpoint, type Logger } from '@rubrica/process';
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

/** Longer than a revocation may take: what a copy had in hand when it died comes again after it. */
const againAfterSeconds = 30;
const batchRows = 20;
/** Batches of one run: it ends, however many rows the database's role makes due. */
const mostBatches = 500;

interface Superseded {
  /** Of the renewal. */
  readonly renewalId: string;
  /** Of the request whose certificate is revoked. */
  readonly id: string;
  readonly serialNumber: string;
  readonly certificateVersion: number;
  /** The renewal. */
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
}

/** The former request is null where the database's role has written the row. */
type TakenRow = Omit<Superseded, 'id'> & { readonly id: string | null };

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

/** The entry comes before the end that rests on it: `keep_renewal` lets nothing else end it. */
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

/** It is revoked already, or its end has passed: nothing is left to do. */
const over: readonly string[] = ['CERTIFICATE_ALREADY_REVOKED', 'REQUEST_STATE_NOT_ALLOWED'];

/**
 * Revokes the certificates whose renewal was issued to take their place. Done twice is as done once, so a crash has it done
 * again.
 */
export async function supersedeFormer(deps: SupersedeDeps): Promise<void> {
  for (let batch = 0; batch < mostBatches; batch += 1) {
    const rows = await take.run(deps.database, { againAfterSeconds });
    await supersedeEach(rows, deps);
    if (rows.length < batchRows) return;
  }
}

async function supersedeEach(taken: readonly TakenRow[], deps: SupersedeDeps): Promise<void> {
  const { database, logger } = deps;
  for (const { id, ...rest } of taken) {
    // Only what was registered as taking the other's place has it revoked.
    if (!isAuthentic(deps.rows, rest.stored, rest.history) || rest.stored.supersedes !== true) continue;
    if (id === null) {
      deps.rows.reportFailed({ table: 'request', id: rest.renewalId });
      continue;
    }
    const row = { ...rest, id };
    try {
      await revoke(deps, row);
    } catch (err) {
      logger.warn({ err, subject: row.id }, 'a certificate could not be superseded yet; it is tried again');
      continue;
    }
    crashpoint(crashPoints.afterSuperseded);
    const entry = protectEntry(database.entries, toEntry(row));
    await finish.run(database, { renewalId: row.renewalId, entries: JSON.stringify([entry]) });
  }
}

function toEntry({ renewalId, id, serialNumber }: Superseded): AuditEntry {
  return {
    actor: 'service:intake',
    action: 'certificates.supersede',
    target: `request:${renewalId}`,
    details: { superseded: id, serialNumber },
  };
}

async function revoke({ database, peers, rows }: SupersedeDeps, former: Superseded): Promise<void> {
  const { id: requestId, renewalId, stored } = former;
  const partnerId = String(stored.partner_id);
  // That the renewal was issued says the authority, not the row.
  await peers.generation['certificates.byRequest']({ requestId: renewalId, partnerId });
  // So it does of the former certificate: another serial number in the row would leave that in force.
  const { serialNumber } = await peers.generation['certificates.byRequest']({ requestId, partnerId });
  if (serialNumber !== former.serialNumber) rows.reportFailed({ table: 'request', id: requestId });
  try {
    const named = { requestId, partnerId, serialNumber };
    const revoked = await peers.generation['certificates.revokeSuperseded'](named);
    await noteCertificate(database, former, revoked);
  } catch (err) {
    if (!(err instanceof AppError && over.includes(err.code))) throw err;
  }
}
