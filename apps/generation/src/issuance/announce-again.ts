import { type Database, emit, runnerOf } from '@rubrica/database';
import { eventId } from './issuance-ledger.ts';
import type { IssuanceJob } from './lease-issuance.ts';

interface Ended {
  readonly state: 'ISSUED' | 'FAILED' | 'OBSOLETE';
  readonly announcements: number;
  readonly code: string | null;
  readonly issued: Record<string, unknown> | null;
}

const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const ended = `
  update issuance as i set announcements = announcements + 1
  where request_id = $1 and attempt = $2 and state in ('ISSUED', 'FAILED')
  returning state, announcements, code, (
    select jsonb_build_object('certificateId', c.id, 'serialNumber', c.serial, 'notBefore', ${instant('c.not_before')},
      'notAfter', ${instant('c.not_after')}, 'cappedBy', c.capped_by, 'truncated', c.truncated)
    from certificate as c where c.id = i.certificate_id
  ) as issued`;

/**
 * Tells again how an attempt ended, under a new message id. A job that comes again after its end means that intake
 * has not heard of it yet, or that the acknowledgement was lost; intake takes the same outcome once.
 */
export async function announceAgain(
  database: Pick<Database, 'transaction'>,
  job: IssuanceJob,
): Promise<void> {
  await database.transaction(async (em) => {
    const [row] = await runnerOf(em).execute<Ended>(ended, [job.requestId, job.attempt]);
    if (row === undefined) return;
    const isIssued = row.state === 'ISSUED';
    await emit(em, {
      subject: `events.certificate.${isIssued ? 'issued' : 'failed'}`,
      id: `${eventId(isIssued ? 'issued' : 'failed', job)}:again-${row.announcements}`,
      payload: {
        requestId: job.requestId,
        attempt: job.attempt,
        ...(isIssued ? row.issued : { code: row.code }),
      },
    });
  });
}

const adopting = `
  with leased as (
    update issuance set state = 'ISSUED', certificate_id = $4, lease_until = null, finished_at = now()
    where request_id = $1 and attempt = $2 and fence = $3 and state = 'PENDING' returning 1
  )
  insert into audit_entry (action, actor, request_id, attempt, detail)
  select 'certificate.adopted', 'service:generation', $1, $2, jsonb_build_object('certificateId', $4::text) from leased`;

/**
 * Ends an attempt with the live certificate that the request already has. The request must never get a second one,
 * and must not wait without end either.
 */
export async function adoptCertificate(
  database: Pick<Database, 'transaction'>,
  job: IssuanceJob & { fence: number },
  certificateId: string,
): Promise<void> {
  await database.transaction(async (em) => {
    await runnerOf(em).execute(adopting, [job.requestId, job.attempt, job.fence, certificateId]);
  });
  await announceAgain(database, job);
}
