import { createHash } from 'node:crypto';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { FenceLost } from '@rubrica/database/lease';
import { outboxParams } from '@rubrica/database/outbox';
import type { NamedStatement } from '@rubrica/database/statement';
import { formatName, type ParsedCertificate } from '@rubrica/pki';
import { extractSearchTerms } from '../certificate/search-terms.ts';
import { makeStatusMac, type StatusRecord } from '../certificate/status-record.ts';
import { createFailedEvent, createIssuedEvent, toIssuanceEntry } from './issuance-records.ts';
import {
  type FencedAttempt,
  recordFailed,
  recordIssued,
  recordObsolete,
  reserveSerial,
  storeIntent,
} from './issuance-statements.ts';
import { issuanceLeases, type LeasedIssuance } from './lease-issuance.ts';
import type { CertificatePlan } from './plan-certificate.ts';

export interface IssuedCertificate {
  readonly id: string;
  /** Partner of the order. */
  readonly partnerId: string;
  readonly serial: string;
  readonly issuer: string;
  readonly crlShard: number;
  readonly keyAlgorithm: string;
  readonly plan: CertificatePlan;
  readonly certificate: ParsedCertificate;
  readonly sealedBundle: string;
  readonly bundleRetentionDays: number;
  /** Days in which the applicant or the partner may fetch the file, delivered or not; null where neither may. */
  readonly keepDays: number | null;
  /** Days in which a webhook may deliver it; null without a webhook. */
  readonly deliverDays: number | null;
  readonly issuedAt: Date;
}

/** Bytes to be signed, and the statement of intake that they follow. */
export interface Intent {
  readonly tbs: Uint8Array;
  /** SHA-256 of the order statement, hex; null where none was required. */
  readonly orderSha256: string | null;
}

/** Records of an issuance. Each method is one statement, so one commit, under the fence. */
export interface IssuanceLedger {
  /**
   * Reserves the number before any use.
   * @throws FenceLost
   */
  reserveSerial(leased: LeasedIssuance, serial: string): Promise<void>;
  /**
   * Stores the linted bytes before the authority's key signs anything.
   * @throws FenceLost
   */
  storeIntent(leased: LeasedIssuance, serial: string, intent: Intent): Promise<void>;
  /**
   * Stores certificate, bundle, end of the attempt, audit entry and event, all or nothing.
   * @throws FenceLost
   */
  recordIssued(leased: LeasedIssuance, issued: IssuedCertificate): Promise<void>;
  /**
   * Stores the failure of the attempt.
   * @throws FenceLost
   */
  recordFailed(
    leased: LeasedIssuance,
    failure: { code: ErrorCode; reason: string | undefined },
  ): Promise<void>;
  /**
   * Ends an attempt that intake no longer wants.
   * @throws FenceLost
   */
  recordObsolete(leased: LeasedIssuance): Promise<void>;
  /**
   * Releases the attempt for another try; `isCounted` false takes back the start, because the failure was elsewhere.
   */
  postpone(leased: LeasedIssuance, options: { isCounted: boolean }): Promise<void>;
}

/** Creates the ledger on the service's database. */
export function createIssuanceLedger(
  database: Pick<Database, 'statement' | 'entries'>,
  rows: Pick<RowGuard, 'protect'>,
): IssuanceLedger {
  async function write<Params extends FencedAttempt>(
    statement: NamedStatement<Params, unknown>,
    params: Params,
  ): Promise<void> {
    const rows = await statement.run(database, params);
    if (rows.length === 0) throw createFenceLost(params);
  }
  const auditParams = (...args: Parameters<typeof toIssuanceEntry>) => {
    const entry = toIssuanceEntry(...args);
    return { detail: entry.detail, ...database.entries.protect(entry) };
  };
  return {
    reserveSerial: (leased, serial) => write(reserveSerial, { ...leased, serial }),
    storeIntent: (leased, serial, { tbs, orderSha256 }) =>
      write(storeIntent, {
        ...{ ...leased, serial, tbs: Buffer.from(tbs) },
        // The bytes themselves are deleted with the serial number, or by an erasure.
        ...auditParams('certificate.intended', leased, {
          serial,
          detail: { tbsSha256: createHash('sha256').update(tbs).digest('hex'), orderSha256 },
        }),
      }),
    recordIssued: (leased, issued) =>
      write(recordIssued, {
        ...leased,
        ...issuedParams(leased, issued),
        ...auditParams('certificate.issued', leased, { serial: issued.serial, detail: issuedDetail(issued) }),
        statusMac: makeStatusMac(rows, statusRecord(leased, issued)),
      }),
    recordFailed: (leased, { code, reason }) =>
      write(recordFailed, {
        ...leased,
        code,
        ...auditParams('certificate.refused', leased, { detail: { code, reason } }),
        ...outboxParams(createFailedEvent({ job: leased }, code)),
      }),
    recordObsolete: (leased) =>
      write(recordObsolete, { ...leased, ...auditParams('certificate.obsolete', leased, { detail: {} }) }),
    async postpone(leased, { isCounted }) {
      const { release, giveBack } = issuanceLeases;
      const isOurs = await (isCounted ? release : giveBack)(database, leased);
      if (!isOurs) throw createFenceLost(leased);
    },
  };
}

function statusRecord({ requestId }: LeasedIssuance, issued: IssuedCertificate): StatusRecord {
  const { id, partnerId, serial, issuer, crlShard, plan } = issued;
  const statusFields = {
    notAfter: plan.validity.notAfter,
    revokedAt: null,
    revocationReason: null,
    heldAt: null,
  };
  return { id, requestId, partnerId, serial, issuer, crlShard, ...statusFields, statusVersion: 1 };
}

function createFenceLost({ requestId, attempt, fence }: FencedAttempt): FenceLost {
  return new FenceLost({ table: 'issuance', key: `${requestId}.${attempt}`, fence });
}

/**
 * Detail of the audit entry. It includes partner and shard, which the certificate's signature does not prove of its
 * row.
 */
function issuedDetail({ id, partnerId, issuer, crlShard, plan }: IssuedCertificate) {
  const { truncated, validity } = plan;
  return { certificateId: id, partnerId, issuer, crlShard, truncated, cappedBy: validity.cappedBy };
}

function issuedParams(leased: LeasedIssuance, issued: IssuedCertificate) {
  const { id, serial, issuer, plan, certificate } = issued;
  const { validity, profile, truncated } = plan;
  const event = createIssuedEvent(
    { job: leased },
    {
      certificateId: id,
      serialNumber: serial,
      notBefore: validity.notBefore.toISOString(),
      notAfter: validity.notAfter.toISOString(),
      cappedBy: validity.cappedBy,
      truncated: [...truncated],
    },
  );
  return {
    certificateId: id,
    partnerId: issued.partnerId,
    serial,
    issuer,
    crlShard: issued.crlShard,
    keyAlgorithm: issued.keyAlgorithm,
    profile: `${profile.person}/${profile.signature}`,
    certifiedName: formatName(certificate.subject),
    ...validity,
    truncated,
    ...extractSearchTerms(plan.subject),
    der: Buffer.from(certificate.raw),
    issuedAt: issued.issuedAt,
    sealedBundle: issued.sealedBundle,
    bundleRetentionDays: issued.bundleRetentionDays,
    keepDays: issued.keepDays,
    deliverDays: issued.deliverDays,
    ...outboxParams(event),
  };
}
