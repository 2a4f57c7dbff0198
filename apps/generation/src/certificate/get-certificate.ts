import { storedEntrySql } from '@rubrica/audit/entries';
import { holdNotice } from '@rubrica/contracts/operators/hold-notice';
import type { Database } from '@rubrica/database/connection';
import type { StoredEntry } from '@rubrica/database/entries';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import type { OperatorUseCase } from '@rubrica/wiring';
import { auditLog } from './audit-log.ts';
import type { Certificate } from './certificate.entity.ts';
import { toOperatorsRow, toPem } from './certificate-view.ts';
import { certificates } from './certificates.repository.ts';
import type { ReadSigned } from './read-signed.ts';
import type { StatusProof } from './status-proof.ts';

export interface GetCertificateDeps {
  readonly database: Pick<Database, 'fork' | 'statement' | 'entries'>;
  readonly proof: Pick<StatusProof, 'prove' | 'isLost' | 'isIssuedOtherwise'>;
  readonly readSigned: ReadSigned;
  readonly clock: Clock;
  readonly crlUriOf: (issuer: string, shard: number) => string;
}

type GetCertificate = OperatorUseCase<'certificates.get'>;

/**
 * Returns one certificate with its public file and the decisions on it.
 * @throws AppError CERTIFICATE_NOT_FOUND
 */
export function createGetCertificate({
  database,
  clock,
  crlUriOf,
  proof,
  readSigned,
}: GetCertificateDeps): GetCertificate {
  return async (name, { caller }) => {
    const certificate = await certificates(database.fork(), proof).named(name);
    if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    const signed = (await readSigned([certificate])).get(certificate.id);
    const row = toOperatorsRow(certificate, signed, clock());
    return {
      ...row,
      keyAlgorithm: certificate.keyAlgorithm,
      requestedNotAfter: certificate.requestedNotAfter.toISOString(),
      cappedBy: certificate.cappedBy ?? null,
      heldAt: certificate.heldAt?.toISOString() ?? null,
      holdNotice: row.status === 'VALID' ? holdNotice : null,
      crlUri: crlUriOf(certificate.issuer, certificate.crlShard),
      pem: caller.role === 'viewer' || signed === undefined ? null : toPem(signed.der),
      history: await loadHistory(database, certificate),
    };
  };
}

interface HistoryRow {
  readonly entry: StoredEntry;
  readonly at: string;
  readonly action: string;
  readonly actor: string;
  readonly reason: string | null;
  readonly comment: string | null;
}

// Selects by request, which is indexed; a request has few entries.
const findHistory = statement<Pick<Certificate, 'requestId' | 'serial'>, HistoryRow>({
  name: 'certificate-history',
  sql: `
select at, action, actor, detail ->> 'reason' as reason, detail ->> 'comment' as comment,
  ${storedEntrySql(auditLog.table, 'audit_entry')} as entry from audit_entry
where request_id = :requestId and serial = :serial order by sequence`,
});

/** Loads the history; entries that this service did not write are left out. */
async function loadHistory(
  database: Pick<Database, 'statement' | 'entries'>,
  { requestId, serial }: Certificate,
) {
  const rows = await findHistory.run(database, { requestId, serial });
  return rows
    .filter(({ entry }) => database.entries.counts(entry))
    .map(({ at, action, actor, reason, comment }) => ({
      at: new Date(at).toISOString(),
      action,
      actor,
      revocationReason: reason,
      reason: comment,
    }));
}
