import { livenessStatuses } from '@rubrica/contracts/rest/api-flow';
import { z } from 'zod';
import { isOutsideAddress } from '../../outside-address.ts';
import { type LivenessResult, livenessReasons } from '../liveness.ts';

/**
 * Answer to a new session. The address is for an applicant's browser, so anything but a web address is
 * refused.
 */
export const sessionSchema = z.object({
  sessionId: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  livenessUrl: z.string().max(2_048).refine(isOutsideAddress),
  expiresAt: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
});

const confidence = z.number().min(0).max(100).nullable().default(null);

const fallback = { FAILED: 'LIVENESS_FAILED', EXPIRED: 'LIVENESS_SESSION_EXPIRED' } as const;

/**
 * Answer about the state of a session. Reasons without a code of ours count as a failed proof of life; a
 * success with reasons against it breaks the contract.
 */
export const resultSchema = z
  .object({
    status: z.enum(livenessStatuses),
    livenessConfidence: confidence,
    faceMatchConfidence: confidence,
    failureReasons: z.array(z.enum(livenessReasons).catch('LIVENESS_FAILED')).max(10).default([]),
  })
  .refine(({ status, failureReasons }) => status !== 'SUCCEEDED' || failureReasons.length === 0)
  .transform(({ failureReasons, ...result }): LivenessResult => {
    const { status } = result;
    if (status !== 'FAILED' && status !== 'EXPIRED') return { ...result, failureReasons: [] };
    const reasons = [...new Set(failureReasons)];
    return { ...result, failureReasons: reasons.length > 0 ? reasons : [fallback[status]] };
  });
