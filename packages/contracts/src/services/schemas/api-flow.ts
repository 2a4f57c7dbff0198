import { z } from 'zod';
import { livenessStatuses, maxStepAttempts, nextStepSchema, stepResultSchema } from '../../rest/api-flow.ts';
import { statusSchema, validationStatusSchema } from '../../shared/enumerations.ts';
import { errorCodeSchema, errorDetailSchema } from '../../shared/errors.ts';
import { idSchema, instant, sealed } from '../../shared/fields.ts';
import { evidenceBundleSchema } from './evidence.ts';
import { grant } from './grants.ts';
import { registerInput } from './requests.ts';

/**
 * The steps of a request of the API flow, asked by the gateway for the partner whose request it is. A step that is not
 * due is REQUEST_STATE_NOT_ALLOWED, whose message names the one that is; so is one that another call is at.
 */
const named = { requestId: idSchema } as const;
const reasons = z.array(errorCodeSchema);

/**
 * Looks at the identity. Minted by the gateway for each call it takes, `callId` makes a repeat of the same call be
 * answered with what the first came to. EXTERNAL_SERVICE_UNAVAILABLE, while a registry does not answer, uses up no
 * attempt.
 */
export const validateIdentityInput = z.object({
  ...named,
  callId: idSchema,
  isIdentityCertificate: z.boolean().optional(),
  faults: z.array(errorDetailSchema).max(200),
  files: registerInput.shape.files,
  evidence: evidenceBundleSchema.optional(),
});
export type ValidateIdentityInput = z.infer<typeof validateIdentityInput>;
export const validateIdentityOutput = z.object({
  ...named,
  result: stepResultSchema,
  nextStep: nextStepSchema,
  attemptsRemaining: z.int().min(0).max(maxStepAttempts),
  failureReasons: reasons,
});
export type IdentityValidated = z.infer<typeof validateIdentityOutput>;

/** Begins a proof of life, or names the one that is open. LIVENESS_ATTEMPTS_EXCEEDED once all have failed. */
export const requestLivenessInput = z.object(named);
export const requestLivenessOutput = z.object({
  /** Its id, sealed to the gateway: in the sandbox whoever has it can press the button. */
  sealedSession: sealed,
  /** Where the applicant proves it: text, sealed to the gateway. */
  sealedUrl: sealed,
  expiresAt: instant,
  attemptNumber: z.int().min(1).max(maxStepAttempts),
});
export type LivenessRequested = z.infer<typeof requestLivenessOutput>;

/** The outcome of a session; once there is one it stays. REQUEST_NOT_FOUND for a session of another request. */
export const checkLivenessInput = z.object({ ...named, sealedSession: sealed });
export const checkLivenessOutput = z.object({
  status: z.enum(livenessStatuses),
  livenessConfidence: z.number().nullable(),
  faceMatchConfidence: z.number().nullable(),
  result: stepResultSchema.nullable(),
  failureReasons: reasons,
  nextStep: nextStepSchema,
});
export type LivenessChecked = z.infer<typeof checkLivenessOutput>;

/**
 * Starts the generation, once; asked again it says how far that is. A password that is given when it starts takes the
 * place of one from the registration; afterwards none is taken. Once issued, each call allows one hand-over of the file,
 * which is generation's to release; CERTIFICATE_NOT_FOUND when it is kept no longer.
 */
export const issueInput = z.object({ ...named, sealedPassword: sealed.optional() });
export const issueOutput = z.object({
  ...named,
  referenceTransaction: z.string(),
  status: statusSchema,
  validationStatus: validationStatusSchema,
  nextStep: nextStepSchema,
  /** The service made the password, and hands it over with the file. */
  isPasswordOurs: z.boolean(),
  /** To have the file released; null as long as there is none. */
  grant: grant.nullable(),
});
export type SignatureIssuance = z.infer<typeof issueOutput>;

/**
 * The page behind a `livenessUrl` of the sandbox, asked by the gateway for whoever holds it: `READY` may be proved,
 * `DONE` was, of an `EXPIRED` one nothing comes any more. REQUEST_NOT_FOUND for any other session.
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
