import { type StatementTarget, statement } from '@rubrica/database/statement';

/** Replaces the profile: only the serial number of such a certificate is known. */
export const forgottenProfile = 'FORGOTTEN';

/** Id of the unknown partner. */
export const unknownPartnerId = '00000000-0000-0000-0000-000000000000';

interface KnownSerial {
  readonly state: 'RESERVED' | 'INTENDED' | 'ISSUED' | 'ABANDONED';
  /** Profile of its certificate; null without a certificate. */
  readonly profile: string | null;
}

const find = statement<{ serial: string }, KnownSerial>({
  name: 'find-forgotten',
  sql: `
with taken as materialized (select state from serial_number where serial = :serial for update)
select coalesce((select state from taken), 'ISSUED') as state, profile
from (select) as one left join certificate on certificate.serial = :serial
where certificate.serial is not null or exists (select from taken)`,
});

const shards = statement<{ issuer: string }, { readonly count: number }>({
  name: 'shards-of-issuer',
  sql: 'select max(shard) as count from crl where issuer = :issuer',
});

export interface ForgottenCertificate {
  readonly id: string;
  /** New request: the original one is unknown. */
  readonly requestId: string;
  readonly serial: string;
  readonly issuer: string;
  readonly crlShard: number;
  /** Expiry of its authority, an upper bound. */
  readonly notAfter: Date;
}

// An abandoned number belongs to a start that the restored database considers lost, although its certificate was
// delivered.
const note = statement<ForgottenCertificate>({
  name: 'note-forgotten',
  sql: `
with ordered as (
  insert into issuance (request_id, attempt, state, finished_at) values (:requestId, 1, 'OBSOLETE', now())
), numbered as (
  insert into serial_number (serial, request_id, attempt, fence, state) values (:serial, :requestId, 1, 0, 'ISSUED')
  on conflict (serial) do update set state = 'ISSUED'
)
insert into certificate (id, request_id, partner_id, attempt, serial, issuer, profile, key_algorithm, subject, not_before,
  not_after, requested_not_after, der, issued_at, crl_shard)
values (:id, :requestId, '${unknownPartnerId}', 1, :serial, :issuer, '${forgottenProfile}', 'UNKNOWN',
  'not known', now(), :notAfter, :notAfter, '', now(), :crlShard)
returning 1 as done`,
});

/** Reads and writes serial numbers in a transaction. */
export function createForgottenLedger(target: StatementTarget) {
  return {
    /** Finds a serial number and locks it until the end of the transaction. */
    known: async (serial: string): Promise<KnownSerial | undefined> =>
      (await find.run(target, { serial }))[0],
    /** Counts the shards of an issuer without the complete list; 1 where only that exists. */
    shardsOf: async (issuer: string): Promise<number> =>
      (await shards.run(target, { issuer }))[0]?.count || 1,
    note: async (certificate: ForgottenCertificate): Promise<void> => {
      await note.run(target, certificate);
    },
  };
}
