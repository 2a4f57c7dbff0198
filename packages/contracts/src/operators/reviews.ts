import { z } from 'zod';
import { errorTextSchema } from '../error-texts/error-text.ts';
import { regularFileNames } from '../rest/regular.ts';
import {
  applicationTypeSchema,
  certificateTypeSchema,
  familySchema,
  periodSchema,
  reviewPolicySchema,
} from '../shared/enumerations.ts';
import type { ErrorCode } from '../shared/errors.ts';
import { email, idSchema, instant, lineField, sha256Hex } from '../shared/fields.ts';
import { observationTypes } from '../shared/status.ts';
import { change, page, requestId, requestRow, search, timelineEntry } from './common.ts';

/** Codes of the catalogue's group Identity: faults that a reviewer can find in an applicant's evidence. */
const rejectionCodes = [
  'REVIEW_REJECTED',
  'IDENTIFICATION_NUMBER_INVALID',
  'IDENTIFICATION_NOT_FOUND',
  'FINGER_CODE_MISMATCH',
  'NAME_MISMATCH',
  'APPLICANT_UNDERAGE',
  'APPLICANT_DECEASED',
  'DOCUMENT_ILLEGIBLE',
  'SELFIE_MISMATCH',
  'RUC_INVALID',
  'RUC_INACTIVE',
  'REPRESENTATIVE_NOT_CONFIRMED',
  'EVIDENCE_INVALID',
  'EVIDENCE_MISSING',
] as const satisfies readonly ErrorCode[];

/** Rejection codes that the applicant can correct. */
const correctionCodes = [
  'FINGER_CODE_MISMATCH',
  'NAME_MISMATCH',
  'DOCUMENT_ILLEGIBLE',
  'SELFIE_MISMATCH',
  'RUC_INVALID',
  'EVIDENCE_INVALID',
  'EVIDENCE_MISSING',
] as const satisfies readonly ErrorCode[];

/** Fields that a reviewer may request again by name; a family accepts those that it has. */
const correctionFields = [
  'fingerCode',
  'applicantName',
  'applicantLastName',
  'applicantSecondLastName',
  'evidences',
  ...regularFileNames,
] as const;

/** Reasons for a review by a person: the partner's policy, or the registry's answer about the applicant. */
const reviewReasons = ['POLICY', 'REGISTRY'] as const;

/** `automatic` needs no reviewer, so it never appears in the queue. */
const waitingPolicy = reviewPolicySchema.exclude(['automatic']);

const reviewRow = requestRow.extend({
  reviewPolicy: waitingPolicy.describe('Policy when the review began'),
  reviewReason: z.enum(reviewReasons),
  waitingSince: instant,
  ageSeconds: z.int().min(0),
  assignedTo: z.string().nullable().describe('E-mail of the operator'),
  approvals: z
    .int()
    .min(0)
    .describe(
      'Approvals of the present validation attempt by operators who may decide now; others do not count',
    ),
  approvalsNeeded: z.int().min(1),
  observations: z.array(
    z.object({
      type: z.enum(observationTypes),
      code: z.string(),
      message: z.string(),
      text: errorTextSchema.optional().describe('Template and facts of `message`, which the gateway renders'),
      createdDate: z.string(),
    }),
  ),
});

const evidence = z.object({
  evidenceId: idSchema,
  field: z.string().nullable().describe('Field of the body that contained it'),
  evidenceType: z.string().nullable(),
  mediaType: z.string().nullable(),
  size: z.int().nullable(),
  sha256: z.string().nullable(),
  validatorUrl: z.string().nullable(),
});

const approval = z.object({
  operator: z.string(),
  at: instant,
  validationAttempt: z.int(),
  comment: z.string().nullable(),
  counts: z.boolean().describe('false if it precedes a correction, or its operator may no longer decide'),
});

const applicant = z.object({
  applicationType: applicationTypeSchema,
  certificateType: certificateTypeSchema,
  period: periodSchema,
  details: z.record(z.string(), z.union([z.string(), z.boolean()])),
});

const openedBy = z
  .array(
    z.object({
      operatorId: idSchema,
      operator: z.string().describe('E-mail of the operator'),
      since: instant,
    }),
  )
  .describe('Operators who have the request open now, including the caller, in order of opening');

const detail = reviewRow.extend({
  applicant: applicant
    .nullable()
    .describe('null for viewers, and for reviewers once the request no longer waits'),
  evidence: z.array(evidence).nullable().describe('null if `applicant` is'),
  approvalLog: z.array(approval),
  timeline: z.array(timelineEntry),
  openedBy,
  shownSha256: sha256Hex
    .nullable()
    .default(null)
    .describe(
      'Digest of applicant, evidence, observations and attempt, which decisions send. null if `applicant` is',
    ),
});

/** Comment for the audit log and the timeline; the partner and the applicant never see it. */
const comment = lineField(500)
  .optional()
  .describe(
    'Internal comment, stored in the audit log, which is never erased: must contain no personal data',
  );
const decision = requestId.extend({ comment, ...change });
const boundDecision = decision.extend({
  shownSha256: sha256Hex
    .optional()
    .describe(
      '`shownSha256` of the `reviews.get` that was shown. REVIEW_CHANGED if the request has changed since. Required from the next release on',
    ),
});
const decided = requestRow.extend({
  approvals: z.int().min(0),
  approvalsNeeded: z
    .int()
    .min(1)
    .describe('Number of approvals that the review needs, each by another operator'),
});

/** Operators' procedures for requests that wait for a review. */
export const reviewProcedures = {
  'reviews.queue': {
    kind: 'query',
    takesTurns: true,
    service: 'intake',
    role: 'viewer',
    input: z.object({
      ...search,
      family: familySchema.optional(),
      partnerId: idSchema.optional(),
      assignedTo: z
        .union([z.enum(['me', 'nobody']), idSchema])
        .optional()
        .describe('`me`, `nobody`, or the id of an operator'),
      reviewPolicy: waitingPolicy.optional(),
      minAgeSeconds: z.int().min(0).max(315_360_000).optional(),
    }),
    output: page(reviewRow).describe('Oldest first'),
    readsApplicants: true,
  },
  'reviews.get': {
    kind: 'query',
    service: 'intake',
    role: 'viewer',
    input: requestId,
    output: detail,
    readsApplicants: true,
  },
  'reviews.open': {
    kind: 'mutation',
    service: 'intake',
    role: 'reviewer',
    input: requestId,
    output: z.object({
      openedBy,
      until: instant.describe('Call again before this time while the page is open'),
    }),
  },
  'reviews.leave': {
    kind: 'mutation',
    service: 'intake',
    role: 'reviewer',
    input: requestId,
    output: z.object({ openedBy }),
  },
  'reviews.assign': {
    kind: 'mutation',
    service: 'intake',
    role: 'reviewer',
    input: decision.extend({
      operatorEmail: email
        .nullable()
        .optional()
        .describe('Absent: assigns it to the caller. null: removes the assignment'),
    }),
    output: reviewRow,
  },
  'reviews.approve': {
    kind: 'mutation',
    service: 'intake',
    role: 'reviewer',
    input: boundDecision,
    output: decided,
  },
  'reviews.reject': {
    kind: 'mutation',
    service: 'intake',
    role: 'reviewer',
    input: boundDecision.extend({
      codes: z.array(z.enum(rejectionCodes)).min(1).max(10).describe('The partner receives their texts'),
    }),
    output: decided,
  },
  'reviews.requestCorrection': {
    kind: 'mutation',
    service: 'intake',
    role: 'reviewer',
    input: boundDecision.extend({
      codes: z
        .array(z.enum(correctionCodes))
        .min(1)
        .max(10)
        .describe('The first is the code of the error; the partner receives the texts of all'),
      fields: z
        .array(z.enum(correctionFields))
        .min(1)
        .max(20)
        .optional()
        .describe('Fields that may be sent again; default: the fields of the codes'),
    }),
    output: decided,
  },
  'reviews.evidence': {
    kind: 'mutation',
    service: 'intake',
    role: 'reviewer',
    input: requestId.extend({ evidenceId: idSchema, comment, ...change }),
    output: z.object({
      url: z.string().describe('Valid for the caller only, for five minutes; each opening is audited'),
      expiresAt: instant,
    }),
    opens: { url: 'evidence-link' },
  },
} as const;
