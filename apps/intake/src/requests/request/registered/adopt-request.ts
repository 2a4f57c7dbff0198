import type { Family, Status, ValidationStatus } from '@rubrica/contracts/shared/enumerations';
import { needsClaim } from '../approval-trigger.ts';
import type { Request } from '../request.entity.ts';
import type { FailedStep } from '../state-machine.ts';
import { type Decision, digestObservations } from './decision.ts';
import { digestEvidence, type EvidenceOutline } from './evidence-outline.ts';
import { createPendingDecision } from './pending-decision.ts';
import {
  computePasswordSha256,
  type RegisteredData,
  type StoredRegistration,
  toRegistered,
} from './registered-data.ts';
import type { RequestHistory } from './request-history.ts';

/** Request that the previous release wrote last. */
export interface Adoptable {
  readonly id: string;
  readonly status: Status;
  readonly validationStatus: ValidationStatus;
  readonly family: Family;
  readonly failedStep: FailedStep | null;
  readonly fence: number;
  /** Instant of the last change. */
  readonly updatedAt: string;
  readonly generationAttempt: number;
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
  readonly outlines: readonly EvidenceOutline[];
  readonly sealedPassword: string | null;
  readonly supersedeIsDue: boolean;
  readonly reviewPolicy: Request['reviewPolicy'];
  readonly reviewReason: Request['reviewReason'];
  readonly observations: readonly unknown[];
  /** True if the request and its evidence match the digest that was taken at the upgrade. */
  readonly isAsUpgraded: boolean;
  /** Instant of the last approval on the audit chain, up to the chain's end at the upgrade of the schema. */
  readonly approvedAt: string | null;
  /** Instant of the last step that voided every approval. */
  readonly unapprovedAt: string | null;
  /** Ids of the review approvals of the current attempt. */
  readonly approvals: readonly string[];
}

export interface AdoptionResult {
  readonly data: RegisteredData;
  /**
   * `validate`: nothing proves that its validation passed, so it is validated again. `rest`: nothing proves
   * it, and the next step of its partner begins with a validation.
   */
  readonly next: 'nothing' | 'validate' | 'rest';
}

/** Adopts a request: its current data, and the decision that the audit chain proves. */
export function adoptRequest(request: Adoptable): AdoptionResult {
  const { stored, history, outlines, sealedPassword, supersedeIsDue, isAsUpgraded } = request;
  const current = toRegistered(stored);
  const data: RegisteredData = {
    ...current,
    version: 1 + history.renewals,
    passwordSha256: computePasswordSha256(sealedPassword),
    evidenceSha256: digestEvidence(outlines),
    supersedes: isAsUpgraded && supersedeIsDue,
    decision: null,
  };
  if (request.status === 'REGISTERED' && request.family !== 'API')
    return {
      data: { ...data, decision: createPendingDecision(data, request.history, new Date(request.updatedAt)) },
      next: 'nothing',
    };
  if (request.status === 'VALIDATING') {
    // A review of data that changed since would state that its checks had passed.
    if (isInReview(request) && !isAsUpgraded && request.family !== 'API') return { data, next: 'validate' };
    return { data: { ...data, decision: buildOpenDecision(request, data) }, next: 'nothing' };
  }
  if (!hasPassed(request)) return { data, next: 'nothing' };
  const decision = provenDecision(request, data);
  if (decision !== null) return { data: { ...data, decision }, next: 'nothing' };
  const { status, family } = request;
  return { data, next: status === 'ERROR' || family === 'API' ? 'rest' : 'validate' };
}

function hasPassed({ status, failedStep }: Adoptable): boolean {
  return (
    status === 'APPROVED' || status === 'GENERATING' || (status === 'ERROR' && failedStep === 'generation')
  );
}

function provenDecision(request: Adoptable, data: RegisteredData): Decision | null {
  const { validationAttempt: attempt, evidenceSha256 } = data;
  const { approvedAt, unapprovedAt, history, approvals, stored, isAsUpgraded } = request;
  // It changed since the upgrade, or this release wrote it and it changed since: nothing of it is proven.
  if (!isAsUpgraded || approvedAt === null || stored.data_mac !== null) return null;
  if (unapprovedAt !== null && Date.parse(approvedAt) < Date.parse(unapprovedAt)) return null;
  const at = new Date(approvedAt).toISOString();
  const { failures } = history;
  const checks = ['FILES', 'IDENTITY'] as const;
  const isClaimed = needsClaim(data) && data.passwordSha256 !== null;
  return { outcome: 'PASSED', attempt, evidenceSha256, failures, checks, approvals, isClaimed, at };
}

/**
 * Builds the decision of an unfinished request. A review that it waits for remains a person's decision; a
 * stepwise flow leads to a review, because nothing proves its first step.
 */
function buildOpenDecision(
  request: Adoptable,
  { validationAttempt: attempt, evidenceSha256 }: RegisteredData,
): Decision | null {
  const { family, history, updatedAt, reviewPolicy, reviewReason, observations } = request;
  const { failures } = history;
  const at = new Date(updatedAt).toISOString();
  const checks = ['FILES', 'IDENTITY'] as const;
  const common = { attempt, evidenceSha256, failures, checks, approvals: [], at };
  if (isInReview(request)) {
    const review = reviewReason && { policy: reviewPolicy, reason: reviewReason };
    // Its reviewer is shown both as they are now, and neither as a database role changes them later.
    const observationsSha256 = digestObservations(observations);
    return { outcome: 'REVIEW', ...common, observationsSha256, ...(review === null ? {} : { review }) };
  }
  const review = { policy: 'manual', reason: 'POLICY' } as const;
  return family === 'API'
    ? { outcome: 'LIVENESS', ...common, review }
    : createPendingDecision({ validationAttempt: attempt, evidenceSha256 }, history, new Date(updatedAt));
}

function isInReview({ validationStatus }: Pick<Adoptable, 'validationStatus'>): boolean {
  return validationStatus === 'MANUALLY_VALIDATING';
}
