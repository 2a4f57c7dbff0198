import { z } from 'zod';
import { statusSchema } from '../shared/enumerations.ts';
import { idSchema, instant } from '../shared/fields.ts';
import type { OperatorProcedure } from './procedure.ts';

/**
 * Conditions that need an operator. `NO_ACTIVE_TERMS`: no active terms of the certificate type `subject`.
 * `SERVICE_UNAVAILABLE`: the service `subject` does not answer. `ROW_NOT_AUTHENTIC`: the row `subject` was not written
 * by its service. `ONE_ADMINISTRATOR`: fewer than two administrators are enabled, so changes that need two are
 * impossible. `APPLICANT_DISPUTED`: within seven days someone stated at the claim of the request `subject` that its
 * applicant had not made it. `DUAL_CONTROL_OFF`: by configuration one administrator is enough. `FILES_NOT_ISOLATED`:
 * applicants' files are decoded by a process that can reach the network and the files of the service `subject`.
 */
const overviewWarning = z.object({
  code: z.enum([
    'NO_ACTIVE_TERMS',
    'SERVICE_UNAVAILABLE',
    'ROW_NOT_AUTHENTIC',
    'APPLICANT_DISPUTED',
    'ONE_ADMINISTRATOR',
    'DUAL_CONTROL_OFF',
    'FILES_NOT_ISOLATED',
  ]),
  subject: z.string(),
  /** Meaning and remedy, in English. */
  message: z.string(),
});
export type OverviewWarning = z.infer<typeof overviewWarning>;

/** Evidence that was not intact at its last check. `unopenable`: none of intake's keys decrypts it. */
const faultyEvidence = z.object({
  requestId: idSchema,
  evidenceId: idSchema,
  outcome: z.enum(['missing', 'damaged', 'unopenable']),
});
export type FaultyEvidence = z.infer<typeof faultyEvidence>;

/** Number of requests registered in one hour or one day. */
const registered = z.object({ from: instant, registered: z.int() });

const overviewOutput = z.object({
  requests: z
    .record(statusSchema, z.int())
    .describe('Requests that have not ended, and ended ones that were registered within 30 days'),
  registeredLastDay: z.int(),
  generatedLastDay: z.int(),
  isComplete: z.boolean().describe('false if a number exceeds the counting limit of 100,000'),
  oldestUnfinishedAt: instant.nullable(),
  trend: z.object({
    hours: z.array(registered).describe('Last 24 hours, including the present one'),
    days: z.array(registered).describe('Last 30 days, including today'),
  }),
  /** Conditions that stop or limit the service until an operator acts. */
  warnings: z.array(overviewWarning),
  isSandbox: z
    .boolean()
    .default(false)
    .describe(
      'True in a sandbox: registries and liveness are simulated, and a password alone opens a session',
    ),
  faultyEvidence: z
    .array(faultyEvidence)
    .default([])
    .describe('Last 20 findings: evidence that cannot be shown until it is restored from a backup'),
});

/** Summary that operators see first. */
export const overviewProcedures = {
  overview: {
    kind: 'query',
    takesTurns: true,
    service: 'intake',
    role: 'viewer',
    input: z.object({}).optional(),
    output: overviewOutput,
  },
} as const satisfies Record<string, OperatorProcedure>;
