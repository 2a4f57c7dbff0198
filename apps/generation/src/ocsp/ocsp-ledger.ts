import type { RevocationReason } from '@rubrica/contracts/shared/enumerations';
import { type Database, statement } from '@rubrica/database';
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

interface FoundRow extends Pick<AskedCertificate, 'id' | 'serial' | 'issuer' | 'statusVersion'> {
  readonly notAfter: string;
  readonly revokedAt: string | null;
  readonly revocationReason: RevocationReason | null;
  readonly heldAt: string | null;
  readonly der: Buffer | null;
  readonly thisUpdate: string;
  readonly nextUpdate: string;
}

// Only an answer about the certificate's present status version is found, so a late write of an old one does no harm.
const findAsked = statement<{ serials: readonly string[]; hashAlgorithm: string }, FoundRow>({
  name: 'find-asked',
  sql: `
select c.id, c.serial, c.issuer, c.status_version as "statusVersion", c.not_after as "notAfter",
  c.revoked_at as "revokedAt", c.revocation_reason as "revocationReason", c.held_at as "heldAt",
  a.der, a.this_update as "thisUpdate", a.next_update as "nextUpdate"
from certificate as c left join ocsp_answer as a
  on a.certificate_id = c.id and a.hash_algorithm = :hashAlgorithm and a.status_version = c.status_version
    and a.next_update > now()
where c.serial = any(:serials)`,
});

const keepAnswer = statement<Pick<AskedCertificate, 'id' | 'statusVersion'> & SignedAnswer>({
  name: 'keep-answer',
  sql: `
insert into ocsp_answer as a (certificate_id, hash_algorithm, status_version, der, this_update, next_update)
select id, :hashAlgorithm, status_version, :der, :thisUpdate, :nextUpdate
from certificate where id = :id and status_version = :statusVersion
on conflict (certificate_id, hash_algorithm) do update set status_version = excluded.status_version,
  der = excluded.der, this_update = excluded.this_update, next_update = excluded.next_update
  where a.status_version <= excluded.status_version
returning 1 as done`,
});

export function createOcspLedger(database: Pick<Database, 'statement'>): OcspLedger {
  return {
    async find(serials, hashAlgorithm) {
      return (await findAsked.run(database, { serials, hashAlgorithm })).map(toAsked);
    },
    async keep({ id, statusVersion }, answer) {
      const der = Buffer.from(answer.der);
      return (await keepAnswer.run(database, { id, statusVersion, ...answer, der })).length > 0;
    },
  };
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

function toAsked({ id, serial, issuer, statusVersion, ...row }: FoundRow): AskedCertificate {
  return {
    id,
    serial,
    issuer,
    statusVersion,
    standing: {
      notAfter: new Date(row.notAfter),
      revokedAt: dateOf(row.revokedAt),
      revocationReason: row.revocationReason,
      heldAt: dateOf(row.heldAt),
    },
    answer: row.der
      ? { der: row.der, thisUpdate: new Date(row.thisUpdate), nextUpdate: new Date(row.nextUpdate) }
      : undefined,
  };
}
