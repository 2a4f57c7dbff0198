import { AppError, type Clock, crashpoint, type Logger } from '@rubrica/process';
import type { Certificate } from '../certificate/certificate.entity.ts';
import type { Standing } from '../certificate/standing.ts';
import { revocationCrashPoints } from '../crash-points.ts';
import type { SignedAnswer } from '../ocsp/signed-answer.ts';
import { decideChange, type StatusChange } from './decide-change.ts';
import type { StatusLedger } from './status-ledger.ts';

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

export type ChangeStatus = (
  find: () => Promise<Certificate | null>,
  wanted: WantedChange,
) => Promise<Certificate>;

/** Of two changes at once one is first; more of them than this would mean that something else is wrong. */
const mostTries = 5;

const actions = {
  revoke: 'certificate.revoked',
  hold: 'certificate.held',
  release: 'certificate.released',
} as const;

/**
 * Revokes a certificate, holds it or releases it. What takes long is signed first; then all is written at once,
 * unless another change came in between; then it is decided again.
 * @param find reads the certificate anew each time
 * @returns the certificate as it stands afterwards
 * @throws AppError CERTIFICATE_NOT_FOUND, CERTIFICATE_ALREADY_REVOKED, REQUEST_STATE_NOT_ALLOWED
 */
export function createChangeStatus(deps: ChangeStatusDeps): ChangeStatus {
  return async (find, { change, actor, comment }) => {
    for (let tries = 1; tries <= mostTries; tries++) {
      const certificate = await find();
      if (certificate === null) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
      const decision = decideChange(certificate, change, wholeSecond(deps.clock()));
      if (!decision.ok) throw new AppError({ code: decision.code, publicMessage: decision.message });
      const { standing } = decision;
      const answer = await answerIfPossible(deps, certificate, standing);
      crashpoint(revocationCrashPoints.afterAnswer);
      const isRecorded = await deps.ledger.record({
        certificateId: certificate.id,
        statusVersion: certificate.statusVersion,
        standing,
        audit: {
          action: actions[change.kind],
          actor,
          detail: { ...(change.kind === 'revoke' && { reason: change.reason }), ...(comment && { comment }) },
        },
        answer,
      });
      if (!isRecorded) continue;
      crashpoint(revocationCrashPoints.afterCommit);
      deps.wakeCrlSigner();
      return Object.assign(certificate, standing, { statusVersion: certificate.statusVersion + 1 });
    }
    throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
  };
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
