import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ValidationCheck } from '@rubrica/contracts/rest/transactional';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type {
  ApplicationType,
  CertificateStatus,
  CertificateType,
  Family,
  Period,
  Status,
  ValidationStatus,
} from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { NeededReview, WaitingPolicy } from './needed-review.ts';
import type { Decision } from './registered/decision.ts';
import type { FailedStep } from './state-machine.ts';

/** Content of the applicant's request, none of it secret. */
export type Details = Readonly<Record<string, string | boolean>>;

export interface Observation {
  readonly type: 'ALERT' | 'WARNING' | 'INFO';
  readonly code: string;
  /** English rendering. */
  readonly message: string;
  /** Absent in rows of the previous release. */
  readonly text?: ErrorText;
  readonly createdDate: string;
}

export const RequestEntity = defineEntity({
  name: 'Request',
  tableName: 'request',
  properties: {
    id: p.uuid().primary(),
    family: p.text().$type<Family>(),
    partnerId: p.uuid(),
    referenceTransaction: p.text(),
    identificationNumber: p.text(),
    applicationType: p.text().$type<ApplicationType>(),
    certificateType: p.text().$type<CertificateType>(),
    period: p.text().$type<Period>(),
    callbackUrl: p.text().$type<string>().strictNullable(),
    details: p.json<Details>(),
    status: p.text().$type<Status>(),
    validationStatus: p.text().$type<ValidationStatus>(),
    validationAttempt: p.integer(),
    generationAttempt: p.integer(),
    retryCount: p.integer(),
    failedStep: p.text().$type<FailedStep>().strictNullable(),
    errorCode: p.text().$type<ErrorCode>().strictNullable(),
    errorMessage: p.text().$type<string>().strictNullable(),
    /** Text of the message: `stored-text.ts`. */
    errorText: p.json<ErrorText>().strictNullable(),
    errorAt: p.datetime().$type<Date>().strictNullable(),
    /** Fields that the error concerns, if the code alone does not say so. */
    errorFields: p.json<string[]>(),
    /** Check that failed, if the error's code alone does not say so. */
    failedCheck: p.text().$type<ValidationCheck>().strictNullable(),
    observations: p.json<Observation[]>(),
    passwordOrigin: p.text().$type<'PARTNER' | 'SERVICE' | 'HOLDER'>(),
    /**
     * True for a renewal by its subscriber, for which everything that a claim asks for was given at
     * registration.
     */
    claimedAtRegistration: p.boolean().default(false),
    sealedPassword: p.text().$type<string>().lazy().strictNullable(),
    evidenceKey: p.text().$type<string>().lazy().strictNullable(),
    /** SHA-256 of the sealed password, hex; it stays when the password is destroyed. */
    passwordSha256: p.text().$type<string>().strictNullable(),
    /** Digest of all evidence: `registered/evidence-outline.ts`. */
    evidenceSha256: p.text().$type<string>().strictNullable(),
    /** True for a renewal whose issuance revokes the certificate that it renews. */
    supersedes: p.boolean().default(false),
    decision: p.json<Decision>().strictNullable(),
    /** Version and MAC of the registered data; the MAC is null in rows of the previous release. */
    dataVersion: p.integer().default(1),
    dataMac: p.text().$type<string>().strictNullable(),
    claimTokenSha256: p.text().$type<string>().strictNullable(),
    claimExpiresAt: p.datetime().$type<Date>().strictNullable(),
    resendCount: p.integer(),
    linkSentAt: p.datetime().$type<Date>().strictNullable(),
    language: p.text().$type<'es' | 'en'>(),
    serialNumber: p.text().$type<string>().strictNullable(),
    notBefore: p.datetime().$type<Date>().strictNullable(),
    notAfter: p.datetime().$type<Date>().strictNullable(),
    /** Status that generation last reported for the certificate; null until it was asked. */
    certificateStatus: p.text().$type<CertificateStatus>().strictNullable(),
    certificateVersion: p.integer(),
    /** Columns of the current, or else the last, review; see `review/`. */
    reviewPolicy: p.text().$type<WaitingPolicy>(),
    reviewReason: p.text().$type<NeededReview['reason']>(),
    reviewSince: p.datetime(),
    reviewAssignedTo: p.uuid().$type<string>().strictNullable(),
    /** Time at which it expires unless it was finished; null for none. */
    expiresAt: p.datetime().$type<Date>().strictNullable(),
    /** Request whose certificate it renews. */
    renewalOfId: p.uuid().$type<string>().strictNullable().fieldName('renewal_of'),
    /** Days by the sandbox's clock: see `retention/advance-clock.ts`. */
    advancedDays: p.integer().default(0),
    certificateAdvancedDays: p.integer().default(0),
    /** Time of the sweeper's next check; null once nothing more is due. */
    dueAt: p.datetime().$type<Date>().strictNullable(),
    publishCount: p.integer(),
    /** True while the certificate is generating and not yet ordered from generation: `issuance-slots.ts`. */
    awaitsIssuanceSlot: p.boolean().default(false),
    leaseUntil: p.datetime().$type<Date>().strictNullable(),
    fence: p.integer(),
    /** Number of times that a worker has leased the current step. */
    attempts: p.integer(),
    version: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Request = InferEntity<typeof RequestEntity>;

/** One evidence: encrypted bytes in this row or in the object store, never both. */
export const EvidenceEntity = defineEntity({
  name: 'Evidence',
  tableName: 'evidence',
  properties: {
    id: p.uuid().primary(),
    requestId: p.uuid(),
    position: p.integer(),
    /** Field in which it came, if it has its own. */
    field: p.text().$type<string>().strictNullable(),
    /** Sealed key with which it is encrypted, if that is not the request's key. */
    key: p.text().$type<string>().lazy().strictNullable(),
    evidenceType: p.text().$type<string>().strictNullable(),
    validatorUrl: p.text().$type<string>().strictNullable(),
    mediaType: p.text().$type<string>().strictNullable(),
    size: p.integer().$type<number>().strictNullable(),
    sha256: p.text().$type<string>().strictNullable(),
    content: p.blob().$type<Buffer>().lazy().strictNullable(),
    /** Entry in the object store. */
    object: p.json<EvidenceEntry>().strictNullable(),
    /** Reason why it was refused, as the partner reads it. */
    error: p.text().$type<string>().strictNullable(),
    errorText: p.json<ErrorText>().strictNullable(),
  },
});
export type Evidence = InferEntity<typeof EvidenceEntity>;

const step = {
  requestId: p.uuid(),
  at: p.datetime(),
  trigger: p.text(),
  status: p.text().$type<Status>(),
  validationStatus: p.text().$type<ValidationStatus>(),
  code: p.text().$type<ErrorCode>().strictNullable(),
  actor: p.text(),
  reason: p.text().$type<string>().strictNullable(),
};

/**
 * The timeline: one row per transition, append-only, except that the row of a begun validation also stands
 * for its registration.
 */
export const TimelineEntity = defineEntity({
  name: 'Timeline',
  tableName: 'timeline',
  properties: {
    id: p.bigint().primary().autoincrement(),
    ...step,
    mac: p.text().$type<string>().strictNullable(),
  },
});

/** The timeline for display: a view that always gives a registration its own entry. */
export const StepEntity = defineEntity({
  name: 'Step',
  tableName: 'step',
  properties: { place: p.bigint().primary(), ...step },
});
