import { hash } from 'node:crypto';
import type { Database } from '@rubrica/database/connection';
import { guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { parseOcspResponse } from '@rubrica/pki';
import { firstStatusEntriesSql } from '../certificate/status-entries.ts';
import { type StatusFields, toRevocation } from '../certificate/status-fields.ts';
import type { StatusProof, StoredStatus } from '../certificate/status-proof.ts';
import { guardedStatusSql } from '../certificate/status-record.ts';
import type { SignedAnswer } from './signed-answer.ts';

/** Requested certificate with its stored answer, if that is valid. */
export interface RequestedCertificate {
  /** Undefined where the row is not authentic. */
  readonly id: string | undefined;
  readonly serial: string;
  /** Undefined where nothing proves it; the certificate is then revoked under any authority. */
  readonly issuer: string | undefined;
  readonly statusVersion: number;
  readonly standing: StatusFields;
  readonly answer: Omit<SignedAnswer, 'hashAlgorithm'> | undefined;
}

export interface OcspLedger {
  /** Finds issued certificates, with one query each, even if the answer is stored. */
  find(serials: readonly string[], hashAlgorithm: string): Promise<RequestedCertificate[]>;
  /**
   * Stores an answer.
   * @returns false when the status has changed since
   */
  keep(
    certificate: Pick<RequestedCertificate, 'id' | 'statusVersion'>,
    answer: SignedAnswer,
  ): Promise<boolean>;
}

/** Stored OCSP answer, as its MAC covers it; `id` is the certificate's. */
export const ocspAnswerTable = guardedSqlTable('ocsp_answer', [
  'hashAlgorithm',
  'statusVersion',
  'derSha256',
  'thisUpdate',
  'nextUpdate',
]);

interface FoundRow extends StoredStatus {
  readonly mac: string | null;
  readonly der: Buffer | null;
  readonly statusVersion: number;
  readonly thisUpdate: string;
  readonly nextUpdate: string;
}

// Uses only an answer of the current status version, so a late write of an old one does no harm. Takes one serial
// number: PostgreSQL would plan a list again at each call, because it expects ten rows.
const findAsked = statement<{ serial: string; hashAlgorithm: string }, FoundRow>({
  name: 'find-asked',
  sql: `
select asked.serial, case when c.id is not null then ${guardedStatusSql('c')} end as row,
  ${firstStatusEntriesSql('asked.serial')} as entries, a.mac, a.der, a.status_version as "statusVersion",
  a.this_update as "thisUpdate", a.next_update as "nextUpdate"
from (values (:serial::text)) as asked (serial) left join certificate as c on c.serial = asked.serial
left join ocsp_answer as a on a.certificate_id = c.id and a.hash_algorithm = :hashAlgorithm
  and a.status_version = c.status_version and a.next_update > now()`,
});

const keepAnswer = statement<
  Pick<RequestedCertificate, 'statusVersion'> & SignedAnswer & { readonly id: string; readonly mac: string }
>({
  name: 'keep-answer',
  sql: `
insert into ocsp_answer as a (certificate_id, hash_algorithm, status_version, der, this_update, next_update, mac)
select id, :hashAlgorithm, status_version, :der, :thisUpdate, :nextUpdate, :mac
from certificate where id = :id and status_version = :statusVersion
on conflict (certificate_id, hash_algorithm) do update set status_version = excluded.status_version,
  der = excluded.der, this_update = excluded.this_update, next_update = excluded.next_update, mac = excluded.mac
returning 1 as done`,
});

export interface OcspLedgerDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly rows: Pick<RowGuard, 'protect' | 'isIntact' | 'reportFailed'>;
  readonly proof: Pick<StatusProof, 'judge'>;
}

/**
 * Creates the ledger. A stored answer is used with its MAC and for an authentic row; otherwise, an answer is signed
 * from the proven status.
 */
export function createOcspLedger({ database, rows, proof }: OcspLedgerDeps): OcspLedger {
  const toCertificate = async (found: FoundRow, hashAlgorithm: string): Promise<RequestedCertificate[]> => {
    const status = await proof.judge(found);
    if (status === undefined) return [];
    const { serial, issuer, statusVersion, notAfter, revokedAt, revocationReason, heldAt } = status;
    const standing = { notAfter, revokedAt, revocationReason, heldAt };
    // A certificate without an authentic row has no stored answer; each request gets a new signature.
    const id = status.isAuthentic ? status.id : undefined;
    const stored = id === undefined ? undefined : toAnswer(rows, { id, hashAlgorithm, found });
    const answer =
      stored !== undefined && isConsistent(stored.der, { serial, standing }) ? stored : undefined;
    if (stored !== undefined && answer === undefined)
      rows.reportFailed({ table: ocspAnswerTable.name, id: String(id) });
    return [{ id, serial, issuer, statusVersion, standing, answer }];
  };
  return {
    async find(serials, hashAlgorithm) {
      const found = await Promise.all(
        [...new Set(serials)].map((serial) => findAsked.run(database, { serial, hashAlgorithm })),
      );
      return (await Promise.all(found.flat().map((row) => toCertificate(row, hashAlgorithm)))).flat();
    },
    async keep({ id, statusVersion }, answer) {
      if (id === undefined) return true;
      const der = Buffer.from(answer.der);
      const mac = makeAnswerMac(rows, { id, statusVersion, answer });
      return (await keepAnswer.run(database, { id, statusVersion, ...answer, der, mac })).length > 0;
    },
  };
}

interface VersionedAnswer {
  readonly id: string;
  readonly statusVersion: number;
  readonly answer: SignedAnswer;
}

export function makeAnswerMac(rows: Pick<RowGuard, 'protect'>, versioned: VersionedAnswer): string {
  const { id, statusVersion, answer } = versioned;
  const { hashAlgorithm, thisUpdate, nextUpdate } = answer;
  const fields = { id, hashAlgorithm, statusVersion, derSha256: sha256(answer.der), thisUpdate, nextUpdate };
  return rows.protect(ocspAnswerTable.name, fields).mac;
}

function toAnswer(
  rows: Pick<RowGuard, 'isIntact'>,
  { id, hashAlgorithm, found }: { id: string; hashAlgorithm: string; found: FoundRow },
): RequestedCertificate['answer'] {
  const { der, mac, statusVersion, thisUpdate, nextUpdate } = found;
  if (der === null || mac === null) return undefined;
  const times = { this_update: new Date(thisUpdate), next_update: new Date(nextUpdate) };
  const row = { id, version: 1, mac, hash_algorithm: hashAlgorithm, status_version: statusVersion, ...times };
  if (!rows.isIntact(ocspAnswerTable.name, { ...row, der_sha256: sha256(der) })) return undefined;
  return { der, thisUpdate: times.this_update, nextUpdate: times.next_update };
}

/**
 * Returns whether a stored answer states the proven status. A stolen key file can create the MAC of an outdated answer,
 * and verifiers trust the authority's signature.
 */
function isConsistent(
  der: Uint8Array,
  { serial, standing }: { serial: string; standing: StatusFields },
): boolean {
  const answer = parseOcspResponse(der);
  if (!answer.ok || answer.value.status !== 'successful') return false;
  const [single, ...others] = answer.value.responses;
  if (single === undefined || others.length > 0 || single.certId.serial !== serial) return false;
  const { status } = single;
  const revocation = toRevocation(standing);
  if (revocation === undefined) return status === 'good';
  return typeof status === 'object' && toSeconds(status.revokedAt) === toSeconds(revocation.at);
}

/** Rounds down: OCSP carries whole seconds. */
function toSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}
