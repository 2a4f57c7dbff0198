import type { RevocationReason } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database';
import type { Standing } from '../certificate/standing.ts';
import type { SignedAnswer } from './signed-answer.ts';

/** A certificate that is asked about, and the answer that is kept for it, if it still holds. */
export interface AskedCertificate {
  readonly id: string;
  readonly serial: string;
  readonly issuer: string;
  readonly statusVersion: number;
  readonly standing: Standing;
  readonly answer: Omit<SignedAnswer, 'hashAlgorithm'> | undefined;
}

export interface OcspLedger {
  /** Those that were issued; one round trip, also where the answer is there already. */
  find(serials: readonly string[], hashAlgorithm: string): Promise<AskedCertificate[]>;
  /** Keeps an answer. @returns false when the status has changed since it was decided on */
  keep(certificate: Pick<AskedCertificate, 'id' | 'statusVersion'>, answer: SignedAnswer): Promise<boolean>;
}

// Only an answer about the certificate's present status version is found, so a late write of an old one does no harm.
const find = `
select c.id, c.serial, c.issuer, c.status_version, c.not_after, c.revoked_at, c.revocation_reason, c.held_at,
  a.der, a.this_update, a.next_update
from certificate as c left join ocsp_answer as a
  on a.certificate_id = c.id and a.hash_algorithm = $2 and a.status_version = c.status_version and a.next_update > now()
where c.serial = any($1)`;

const keep = `
insert into ocsp_answer as a (certificate_id, hash_algorithm, status_version, der, this_update, next_update)
select id, $2, status_version, $4, $5, $6 from certificate where id = $1 and status_version = $3
on conflict (certificate_id, hash_algorithm) do update set status_version = excluded.status_version,
  der = excluded.der, this_update = excluded.this_update, next_update = excluded.next_update
  where a.status_version <= excluded.status_version
returning 1 as done`;

interface Row {
  readonly id: string;
  readonly serial: string;
  readonly issuer: string;
  readonly status_version: number;
  readonly not_after: string;
  readonly revoked_at: string | null;
  readonly revocation_reason: RevocationReason | null;
  readonly held_at: string | null;
  readonly der: Buffer | null;
  readonly this_update: string;
  readonly next_update: string;
}

export function createOcspLedger(database: Pick<Database, 'statement'>): OcspLedger {
  return {
    async find(serials, hashAlgorithm) {
      const params = [serials, hashAlgorithm];
      const rows = await database.statement<Row>({ name: 'find-asked', text: find, params });
      return rows.map(toAsked);
    },
    async keep({ id, statusVersion }, { hashAlgorithm, der, thisUpdate, nextUpdate }) {
      const params = [id, hashAlgorithm, statusVersion, Buffer.from(der), thisUpdate, nextUpdate];
      return (await database.statement({ name: 'keep-answer', text: keep, params })).length > 0;
    },
  };
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

function toAsked(row: Row): AskedCertificate {
  return {
    id: row.id,
    serial: row.serial,
    issuer: row.issuer,
    statusVersion: row.status_version,
    standing: {
      notAfter: new Date(row.not_after),
      revokedAt: dateOf(row.revoked_at),
      revocationReason: row.revocation_reason,
      heldAt: dateOf(row.held_at),
    },
    answer: row.der
      ? { der: row.der, thisUpdate: new Date(row.this_update), nextUpdate: new Date(row.next_update) }
      : undefined,
  };
}
