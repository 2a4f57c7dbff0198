import { type StatementTarget, statement } from '@rubrica/database';

/** In place of a profile: nobody here knows more of such a certificate than its serial number. */
export const forgottenProfile = 'FORGOTTEN';

/** Stands for the unknown partner. */
export const noPartner = '00000000-0000-0000-0000-000000000000';

interface Known {
  readonly state: 'RESERVED' | 'INTENDED' | 'ISSUED' | 'ABANDONED';
  /** Of its certificate; null where there is none. */
  readonly profile: string | null;
}

const find = statement<{ serial: string }, Known>({
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
  /** Of a request of its own: whose it was is not known. */
  readonly requestId: string;
  readonly serial: string;
  readonly issuer: string;
  readonly crlShard: number;
  /** The end of its authority: it ended no later. */
  readonly notAfter: Date;
}

// An abandoned number was one of a start that the restored database takes for lost, whose certificate had left all the same.
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
values (:id, :requestId, '${noPartner}', 1, :serial, :issuer, '${forgottenProfile}', 'UNKNOWN',
  'not known', now(), :notAfter, :notAfter, '', now(), :crlShard)
returning 1 as done`,
});

/** What is known of serial numbers, in a transaction. */
export function forgottenLedger(target: StatementTarget) {
  return {
    /** Locked until the end of the transaction. */
    known: async (serial: string): Promise<Known | undefined> => (await find.run(target, { serial }))[0],
    /** Of an issuer, the complete list not counted; 1 where there is that alone. */
    shardsOf: async (issuer: string): Promise<number> =>
      (await shards.run(target, { issuer }))[0]?.count || 1,
    note: async (certificate: ForgottenCertificate): Promise<void> => {
      await note.run(target, certificate);
    },
  };
}
