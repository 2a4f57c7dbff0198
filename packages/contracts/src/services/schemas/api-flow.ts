import { z } from 'zod';
import { livenessStatuses, maxStepAttempts, nextStepSchema, stepResultSchema } from '../../rest/api-flow.ts';
import { statusSchema, validationStatusSchema } from '../../shared/enumerations.ts';
import { errorCodeSchema, errorDetailSchema } from '../../shared/errors.ts';
import { idSchema, instant, sealed } from '../../shared/fields.ts';
import { evidenceBundleSchema } from './evidence.ts';
import { grant } from './grants.ts';
import { registerInput } from './requests.ts';

/**
 * Steps of a request of the API flow, called by the gateway for the partner that owns the request. A step that is not
 * due is refused with REQUEST_STATE_NOT_ALLOWED, whose message names the due one. A step that another call is running
 * is refused in the same way.
 */
const requestIdShape = { requestId: idSchema } as const;
const reasons = z.array(errorCodeSchema);

/**
 * Validates the identity. The gateway mints `callId` for each call it receives; a repeat with the same id is answered
 * with the result of the first. EXTERNAL_SERVICE_UNAVAILABLE, while a registry does not answer, uses up no attempt.
 */
export const validateIdentityInput = z.object({
  ...requestIdShape,
  callId: idSchema,
  isIdentityCertificate: z.boolean().optional(),
  faults: z.array(errorDetailSchema).max(200),
  files: registerInput.shape.files,
  evidence: evidenceBundleSchema.optional(),
});
export type ValidateIdentityInput = z.infer<typeof validateIdentityInput>;
export const validateIdentityOutput = z.object({
  ...requestIdShape,
  result: stepResultSchema,
  nextStep: nextStepSchema,
  attemptsRemaining: z.int().min(0).max(maxStepAttempts),
  failureReasons: reasons,
});
export type ValidatedIdentityResult = z.infer<typeof validateIdentityOutput>;

/** Starts a proof of life, or answers the open one. LIVENESS_ATTEMPTS_EXCEEDED once all have failed. */
export const requestLivenessInput = z.object(requestIdShape);
export const requestLivenessOutput = z.object({
  /** Id of the session, sealed to the gateway: in the sandbox it allows its bearer to complete the proof. */
  sealedSession: sealed,
  /** Address of the page for the applicant: text, sealed to the gateway. */
  sealedUrl: sealed,
  expiresAt: instant,
  attemptNumber: z.int().min(1).max(maxStepAttempts),
});
export type StartedLiveness = z.infer<typeof requestLivenessOutput>;

/** Answers the outcome of a session, which is final. REQUEST_NOT_FOUND for a session of another request. */
export const checkLivenessInput = z.object({ ...requestIdShape, sealedSession: sealed });
export const checkLivenessOutput = z.object({
  status: z.enum(livenessStatuses),
  livenessConfidence: z.number().nullable(),
  faceMatchConfidence: z.number().nullable(),
  result: stepResultSchema.nullable(),
  failureReasons: reasons,
  nextStep: nextStepSchema,
});
export type LivenessStatus = z.infer<typeof checkLivenessOutput>;

/**
 * Starts the generation once; later calls answer its progress. A password given at the start replaces the one from the
 * registration; afterwards none is accepted. Once issued, each call allows one delivery of the file, which generation
 * releases. CERTIFICATE_NOT_FOUND once the file is deleted.
 */
export const issueInput = z.object({ ...requestIdShape, sealedPassword: sealed.optional() });
export const issueOutput = z.object({
  ...requestIdShape,
  referenceTransaction: z.string(),
  status: statusSchema,
  validationStatus: validationStatusSchema,
  nextStep: nextStepSchema,
  /** The service generated the password and delivers it with the file. */
  isPasswordOurs: z.boolean(),
  /** Grant to release the file; null until it exists. */
  grant: grant.nullable(),
});
export type SignatureIssuance = z.infer<typeof issueOutput>;

/**
 * Page behind a `livenessUrl` of the sandbox, requested by the gateway for its visitor. A session is `READY` for the
 * proof, `DONE` after it, or `EXPIRED` without a result. REQUEST_NOT_FOUND for any other session.
 */
const livenessPageStates = ['READY', 'DONE', 'EXPIRED'] as const;
export type LivenessPageState = (typeof livenessPageStates)[number];
export const livenessPageInput = z.object({ sealedSession: sealed });
export const livenessPage = z.object({
  state: z.enum(livenessPageStates),
  partnerName: z.string(),
  expiresAt: instant,
});
export type LivenessPage = z.infer<typeof livenessPage>;
