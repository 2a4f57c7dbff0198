import type { StatementTarget } from '@rubrica/database';
import { AppError, type Clock, crashpoint, type Logger } from '@rubrica/process';
import type { ProvenCertificate as Certificate } from '../certificate/certificates.repository.ts';
import type { Standing } from '../certificate/standing.ts';
import { revocationCrashPoints } from '../crash-points.ts';
import type { SignedAnswer } from '../ocsp/signed-answer.ts';
import { decideChange, type StatusChange } from './decide-change.ts';
import type { RecordedChange, StatusLedger } from './status-ledger.ts';

export interface ChangeStatusDeps {
  readonly ledger: StatusLedger;
  /** Signs what OCSP will answer about the certificate once it stands like that. */
  readonly prepareAnswer: (certificate: Certificate, standing: Standing) => Promise<SignedAnswer>;
  /** Wakes this copy's CRL signer; those of the others look by themselves. */
  readonly wakeCrlSigner: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface WantedChange {
  readonly change: StatusChange;
  /** `partner:<client id>`, `operator:<e-mail>`. */
  readonly actor: string;
  /** Why, as the partner or operator wrote it. */
  readonly comment: string | undefined;
}

/** How a certificate of this version will stand, and what OCSP will answer then. */
export interface PreparedChange {
  readonly statusVersion: number;
  readonly standing: Required<Standing>;
  readonly answer: SignedAnswer | undefined;
}

/** Revokes certificates, holds and releases them. */
export interface ChangeStatus {
  /**
   * Signs first, then writes all at once, unless another change came in between; then it is decided again.
   * @param find reads the certificate anew each time
   * @returns the certificate as it stands afterwards
   * @throws AppError CERTIFICATE_NOT_FOUND, CERTIFICATE_ALREADY_REVOKED, REQUEST_STATE_NOT_ALLOWED
   */
  atOnce(find: () => Promise<Certificate | null>, wanted: WantedChange): Promise<Certificate>;
  /** What takes long, for a transaction to come. @throws AppError as `atOnce` */
  prepare(certificate: Certificate | null, change: StatusChange): Promise<PreparedChange>;
  /**
   * Makes the change of a certificate that the transaction has locked. What was prepared counts where the certificate is
   * still of that version; else OCSP's answer is signed when it is asked for.
   * @returns the certificate as it stands afterwards
   * @throws AppError as `atOnce`
   */
  inTransaction(
    em: StatementTarget,
    certificate: Certificate,
    wanted: WantedChange & { readonly prepared: PreparedChange | undefined },
  ): Promise<Certificate>;
  /** After the commit. */
  committed(): void;
}

/** Of two changes at once one is first; more of them than this would mean that something else is wrong. */
const mostTries = 5;

const actions = {
  revoke: 'certificate.revoked',
  hold: 'certificate.held',
  release: 'certificate.released',
} as const;

export function createChangeStatus(deps: ChangeStatusDeps): ChangeStatus {
  const { ledger, clock } = deps;
  async function prepare(certificate: Certificate | null, change: StatusChange): Promise<PreparedChange> {
    const found = existing(certificate);
    const standing = decide(found, change, clock());
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
      for (let tries = 1; tries <= mostTries; tries++) {
        const certificate = existing(await find());
        const prepared = await prepare(certificate, wanted.change);
        if (!(await ledger.record(recordOf(certificate, wanted, prepared)))) continue;
        committed();
        return changed(certificate, prepared);
      }
      throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
    },
    async inTransaction(em, certificate, { prepared, ...wanted }) {
      const { statusVersion } = certificate;
      const isSame = prepared?.statusVersion === statusVersion;
      const standing = isSame ? prepared.standing : decide(certificate, wanted.change, clock());
      const now = isSame ? prepared : { statusVersion, standing, answer: undefined };
      if (!(await ledger.record(recordOf(certificate, wanted, now), em)))
        throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
      return changed(certificate, now);
    },
  };
}

function existing(certificate: Certificate | null): Certificate {
  if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  return certificate;
}

/** @throws AppError CERTIFICATE_ALREADY_REVOKED, REQUEST_STATE_NOT_ALLOWED */
export function decide(certificate: Certificate, change: StatusChange, now: Date): Required<Standing> {
  const decision = decideChange(certificate, change, wholeSecond(now));
  if (!decision.ok) throw new AppError({ code: decision.code, text: decision.text });
  return decision.standing;
}

function recordOf(
  certificate: Certificate,
  { change, actor, comment }: WantedChange,
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

function changed(certificate: Certificate, { standing, statusVersion }: PreparedChange): Certificate {
  const version = statusVersion + 1;
  return Object.assign(certificate, standing, { statusVersion: version, storedVersion: version });
}

/** A key that cannot be used must not keep a certificate from being revoked: the answer is then signed when asked for. */
async function answerIfPossible(
  { prepareAnswer, logger }: ChangeStatusDeps,
  certificate: Certificate,
  standing: Standing,
): Promise<SignedAnswer | undefined> {
  try {
    return await prepareAnswer(certificate, standing);
  } catch (err) {
    logger.error(
      { err, requestId: certificate.requestId },
      'no OCSP answer could be signed for a change of status',
    );
    return undefined;
  }
}

/** CRL and OCSP carry whole seconds; all views show the same. */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1_000) * 1_000);
}
