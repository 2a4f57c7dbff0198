import type { StatementTarget } from '@rubrica/database/statement';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import type { ProvenCertificate as Certificate } from '../certificate/certificates.repository.ts';
import type { StatusFields } from '../certificate/status-fields.ts';
import type { SignedAnswer } from '../ocsp/signed-answer.ts';
import { revocationCrashPoints } from './crash-points.ts';
import { decideChange, type StatusChange } from './decide-change.ts';
import type { RecordedChange, StatusLedger } from './status-ledger.ts';

export interface ChangeStatusDeps {
  readonly ledger: StatusLedger;
  /** Signs the OCSP answer for the new status of the certificate. */
  readonly prepareAnswer: (certificate: Certificate, standing: StatusFields) => Promise<SignedAnswer>;
  /** Wakes the CRL signer of this copy; other copies poll. */
  readonly wakeCrlSigner: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface StatusChangeRequest {
  readonly change: StatusChange;
  /** `partner:<client id>`, `operator:<e-mail>`. */
  readonly actor: string;
  /** Reason, as the partner or operator wrote it. */
  readonly comment: string | undefined;
}

/** New status of a certificate of this version, with its OCSP answer. */
export interface PreparedChange {
  readonly statusVersion: number;
  readonly standing: Required<StatusFields>;
  readonly answer: SignedAnswer | undefined;
}

/** Revokes certificates, puts them on hold and releases them. */
export interface ChangeStatus {
  /**
   * Signs first, then writes all at once. If another change came in between, decides again.
   * @param find reads the certificate again each time
   * @returns the certificate after the change
   * @throws AppError CERTIFICATE_NOT_FOUND, CERTIFICATE_ALREADY_REVOKED, REQUEST_STATE_NOT_ALLOWED
   */
  atOnce(find: () => Promise<Certificate | null>, wanted: StatusChangeRequest): Promise<Certificate>;
  /**
   * Does the slow part before a transaction.
   * @throws AppError as `atOnce`
   */
  prepare(certificate: Certificate | null, change: StatusChange): Promise<PreparedChange>;
  /**
   * Changes a certificate that the transaction has locked. The prepared part is used if the certificate still has that
   * version; otherwise, the OCSP answer is signed at the next request.
   * @returns the certificate after the change
   * @throws AppError as `atOnce`
   */
  inTransaction(
    em: StatementTarget,
    certificate: Certificate,
    wanted: StatusChangeRequest & { readonly prepared: PreparedChange | undefined },
  ): Promise<Certificate>;
  /** Called after the commit. */
  committed(): void;
}

/** Maximum attempts. Concurrent changes are rare; more of them mean another fault. */
const maxAttempts = 5;

const actions = {
  revoke: 'certificate.revoked',
  hold: 'certificate.held',
  release: 'certificate.released',
} as const;

export function createChangeStatus(deps: ChangeStatusDeps): ChangeStatus {
  const { ledger, clock } = deps;
  async function prepare(certificate: Certificate | null, change: StatusChange): Promise<PreparedChange> {
    const found = requireCertificate(certificate);
    const standing = decideOrThrow(found, change, clock());
    const answer = await answerIfPossible(deps, found, standing);
    crashpoint(revocationCrashPoints.afterAnswer);
    return { statusVersion: found.statusVersion, standing, answer };
  }
  function committed(): void {
    crashpoint(revocationCrashPoints.afterCommit);
    deps.wakeCrlSigner();
  }
  return {
    prepare,
    committed,
    async atOnce(find, wanted) {
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const certificate = requireCertificate(await find());
        const prepared = await prepare(certificate, wanted.change);
        if (!(await ledger.record(toRecordedChange(certificate, wanted, prepared)))) continue;
        committed();
        return applyChange(certificate, prepared);
      }
      throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
    },
    async inTransaction(em, certificate, { prepared, ...wanted }) {
      const { statusVersion } = certificate;
      const isSame = prepared?.statusVersion === statusVersion;
      const standing = isSame ? prepared.standing : decideOrThrow(certificate, wanted.change, clock());
      const now = isSame ? prepared : { statusVersion, standing, answer: undefined };
      if (!(await ledger.record(toRecordedChange(certificate, wanted, now), em)))
        throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
      return applyChange(certificate, now);
    },
  };
}

function requireCertificate(certificate: Certificate | null): Certificate {
  if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  return certificate;
}

/**
 * Decides a change.
 * @throws AppError CERTIFICATE_ALREADY_REVOKED, REQUEST_STATE_NOT_ALLOWED
 */
export function decideOrThrow(
  certificate: Certificate,
  change: StatusChange,
  now: Date,
): Required<StatusFields> {
  const decision = decideChange(certificate, change, wholeSecond(now));
  if (!decision.ok) throw new AppError({ code: decision.code, text: decision.text });
  return decision.standing;
}

function toRecordedChange(
  certificate: Certificate,
  { change, actor, comment }: StatusChangeRequest,
  { standing, answer }: PreparedChange,
): RecordedChange {
  const {
    id,
    requestId,
    partnerId,
    serial,
    issuer,
    crlShard,
    storedVersion,
    storedMac,
    attempt,
    isOwnerProven,
  } = certificate;
  const record = { id, requestId, partnerId, serial, issuer, crlShard, ...standing };

  const detail = { ...(change.kind === 'revoke' && { reason: change.reason }), ...(comment && { comment }) };
  const audit = { action: actions[change.kind], actor, attempt, detail };
  const statusVersion = certificate.statusVersion + 1;
  return { record: { ...record, statusVersion }, storedVersion, storedMac, isOwnerProven, audit, answer };
}

function applyChange(certificate: Certificate, { standing, statusVersion }: PreparedChange): Certificate {
  const version = statusVersion + 1;
  return Object.assign(certificate, standing, { statusVersion: version, storedVersion: version });
}

/**
 * Signs the OCSP answer if the key is available: an unavailable key must not prevent a revocation. The answer is then
 * signed at the next request.
 */
async function answerIfPossible(
  { prepareAnswer, logger }: ChangeStatusDeps,
  certificate: Certificate,
  standing: StatusFields,
): Promise<SignedAnswer | undefined> {
  try {
    return await prepareAnswer(certificate, standing);
  } catch (err) {
    logger.error(
      { err, requestId: certificate.requestId },
      'OCSP answer signing failed for a change of status',
    );
    return undefined;
  }
}

/** Rounds down: CRL and OCSP carry whole seconds; all views show the same. */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1_000) * 1_000);
}
