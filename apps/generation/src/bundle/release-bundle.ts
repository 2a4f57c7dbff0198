import type * as generationContract from '@rubrica/contracts/services/schemas/generation';
import type { Database } from '@rubrica/database';
import { AppError, type Keyring } from '@rubrica/process';

/**
 * The notifier is handed each bundle once as a matter of course, and its ledger tells what became of it: a row more
 * would cost every delivery a commit. Whoever else is given one stands in the audit log.
 */
const text = `
with found as (
  select c.request_id, c.attempt, c.serial, c.not_before, c.not_after,
    case when b.purge_at > now() then b.sealed end as sealed
  from certificate as c join bundle as b on b.certificate_id = c.id
  where c.request_id = $1 order by (c.revoked_at is null) desc, c.issued_at desc limit 1
), audited as (
  insert into audit_entry (action, actor, request_id, attempt, serial)
  select 'bundle.released', 'service:' || $2::text, request_id, attempt, serial from found where sealed is not null
    and $2::text <> 'notifier'
)
select serial, not_before as "notBefore", not_after as "notAfter", sealed from found`;

interface Row {
  readonly serial: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly sealed: string | null;
}

/**
 * Hands a request's file and password to a service that may pass them on, sealed to it: opened here for the moment
 * between two seals, never written or logged. That the gateway was given it stands in the audit log before.
 * From the end of its retention a bundle is handed to nobody, also while the sweeper is yet to come or a legal hold
 * keeps it.
 * @throws AppError CERTIFICATE_NOT_FOUND, PAYLOAD_EXPIRED once the retention has ended
 */
export async function releaseBundle(
  { database, keyring }: { database: Pick<Database, 'statement'>; keyring: Pick<Keyring, 'open' | 'sealTo'> },
  { requestId, recipient }: { requestId: string; recipient: string },
): Promise<generationContract.ReleasedBundle> {
  const [row] = await database.statement<Row>({
    name: 'release-bundle',
    text,
    params: [requestId, recipient],
  });
  if (row === undefined) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  if (row.sealed === null) throw new AppError({ code: 'PAYLOAD_EXPIRED' });
  const content = await keyring.open(row.sealed);
  try {
    return {
      requestId,
      serialNumber: row.serial,
      notBefore: new Date(row.notBefore).toISOString(),
      notAfter: new Date(row.notAfter).toISOString(),
      sealed: await keyring.sealTo(recipient, content),
    };
  } finally {
    content.fill(0);
  }
}
