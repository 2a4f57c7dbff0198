import type { Database } from '@rubrica/database/connection';
import type { EntryMac } from '@rubrica/database/entries';
import { lease } from '@rubrica/database/lease';
import { emit } from '@rubrica/database/outbox';
import { statement } from '@rubrica/database/statement';
import { createFailedEvent, createIssuedEvent, toIssuanceEntry } from './issuance-records.ts';
import type { IssuanceJob } from './lease-issuance.ts';

type EndedRow = { readonly announcements: number } & (
  | { readonly state: 'ISSUED'; readonly issued: Parameters<typeof createIssuedEvent>[1] }
  | { readonly state: 'FAILED'; readonly code: Parameters<typeof createFailedEvent>[1] }
);

function instant(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const announce = statement<IssuanceJob, EndedRow>({
  name: 'announce-again',
  sql: `
  update issuance as i set announcements = announcements + 1
  where request_id = :requestId and attempt = :attempt and state in ('ISSUED', 'FAILED')
  returning state, announcements, code, (
    select jsonb_build_object('certificateId', c.id, 'serialNumber', c.serial, 'notBefore', ${instant('c.not_before')},
      'notAfter', ${instant('c.not_after')}, 'cappedBy', c.capped_by, 'truncated', c.truncated)
    from certificate as c where c.id = i.certificate_id
  ) as issued`,
});

/**
 * Announces the end of an attempt again, under a new message id. A job that is redelivered after its end means that
 * intake did not receive it, or that the acknowledgement was lost. Intake processes an outcome once.
 */
export async function announceAgain(
  database: Pick<Database, 'transaction'>,
  job: IssuanceJob,
): Promise<void> {
  await database.transaction(async (em) => {
    const [row] = await announce.run(em, job);
    if (row === undefined) return;
    const announcement = { job, repeat: row.announcements };
    await emit(
      em,
      row.state === 'ISSUED'
        ? createIssuedEvent(announcement, row.issued)
        : createFailedEvent(announcement, row.code),
    );
  });
}

const adopt = statement<IssuanceJob & EntryMac & { fence: number; detail: string }>({
  name: 'adopt-certificate',
  sql: `
  with leased as (
    update issuance set state = 'ISSUED', certificate_id = (:detail::jsonb ->> 'certificateId')::uuid, ${lease.end}, finished_at = now()
    where request_id = :requestId and attempt = :attempt and fence = :fence and state = 'PENDING' returning 1
  )
  insert into audit_entry (action, actor, request_id, attempt, detail, entry_id, mac)
  select 'certificate.adopted', 'service:generation', :requestId, :attempt, :detail::jsonb, :entryId::uuid, :entryMac
  from leased`,
});

/**
 * Ends an attempt with the existing certificate of the request. The request must never get a second one, and must not
 * wait forever.
 */
export async function adoptCertificate(
  database: Pick<Database, 'statement' | 'transaction' | 'entries'>,
  job: IssuanceJob & { fence: number },
  certificateId: string,
): Promise<void> {
  const entry = toIssuanceEntry('certificate.adopted', job, { detail: { certificateId } });
  await adopt.run(database, { ...job, ...entry, ...database.entries.protect(entry) });
  await announceAgain(database, job);
}
