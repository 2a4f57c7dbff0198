import type { Database } from '@rubrica/database';
import type { Standing } from '../certificate/standing.ts';
import type { SignedAnswer } from '../ocsp/signed-answer.ts';

export interface RecordedChange {
  readonly certificateId: string;
  /** The version that the decision was made on. */
  readonly statusVersion: number;
  readonly standing: Required<Standing>;
  readonly audit: { readonly action: string; readonly actor: string; readonly detail: object };
  /** What OCSP answers from now on; absent: signed at the next question. */
  readonly answer: SignedAnswer | undefined;
}

/** What is written down of changes of status. */
export interface StatusLedger {
  /**
   * Status, audit row, OCSP answer and the need of a new CRL, all or nothing, in one statement.
   * @returns false, with nothing written, when the certificate is no longer of that version
   */
  record(change: RecordedChange): Promise<boolean>;
}

// An answer about an earlier version need not be removed: nobody serves one whose version is not the certificate's.
const text = `
with changed as (
  update certificate set revoked_at = $3, revocation_reason = $4, held_at = $5, status_version = status_version + 1
  where id = $1 and status_version = $2
  returning id, request_id, attempt, serial, issuer, crl_shard, status_version
), audited as (
  insert into audit_entry (action, actor, request_id, attempt, serial, detail)
  select $6, $7, request_id, attempt, serial, $8::jsonb from changed
), wanted as (
  insert into crl (issuer, shard, changes) select issuer, crl_shard, 1 from changed
  on conflict (issuer, shard) do update set changes = crl.changes + 1
), answered as (
  insert into ocsp_answer (certificate_id, hash_algorithm, status_version, der, this_update, next_update)
  select id, $9, status_version, $10, $11, $12 from changed where $9::text is not null
  on conflict (certificate_id, hash_algorithm) do update set status_version = excluded.status_version,
    der = excluded.der, this_update = excluded.this_update, next_update = excluded.next_update
)
select 1 as done from changed`;

export function createStatusLedger(database: Pick<Database, 'statement'>): StatusLedger {
  return {
    async record({ certificateId, statusVersion, standing, audit, answer }) {
      const { revokedAt, revocationReason, heldAt } = standing;
      const rows = await database.statement({
        name: 'change-status',
        text,
        params: [
          certificateId,
          statusVersion,
          revokedAt,
          revocationReason,
          heldAt,
          audit.action,
          audit.actor,
          JSON.stringify(audit.detail),
          answer?.hashAlgorithm ?? null,
          answer ? Buffer.from(answer.der) : null,
          answer?.thisUpdate ?? null,
          answer?.nextUpdate ?? null,
        ],
      });
      return rows.length > 0;
    },
  };
}
