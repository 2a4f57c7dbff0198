import { z } from 'zod';
import { statusSchema } from '../shared/enumerations.ts';
import { idSchema, instant } from '../shared/fields.ts';
import type { OperatorProcedure } from './procedure.ts';

/**
 * `NO_ACTIVE_TERMS`: of the certificate type `subject`. `SERVICE_UNAVAILABLE`: the service `subject` does not answer.
 * `ROW_NOT_AUTHENTIC`: the row `subject` was written, and not by its service. `ONE_ADMINISTRATOR`: there are fewer than
 * two, so that nothing can be done that takes two. `APPLICANT_DISPUTED`: within seven days it was said of the request
 * `subject`, at its claim, that its applicant had not asked for it. `DUAL_CONTROL_OFF`: by the settings one administrator is enough.
 * `FILES_NOT_ISOLATED`: a process with the network and the files of the service `subject` decodes applicants' files.
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
  /** What it means and what to do, in English. */
  message: z.string(),
});
export type OverviewWarning = z.infer<typeof overviewWarning>;

/** Evidence that was not sound when it was read last. `unopenable`: no key of intake's opens it. */
const faultyEvidence = z.object({
  requestId: idSchema,
  evidenceId: idSchema,
  outcome: z.enum(['missing', 'damaged', 'unopenable']),
});
export type FaultyEvidence = z.infer<typeof faultyEvidence>;

/** Requests registered in one hour or one day. */
const registered = z.object({ from: instant, registered: z.int() });

const overviewOutput = z.object({
  requests: z
    .record(statusSchema, z.int())
    .describe('All that have not ended, and of those registered within 30 days those that have'),
  registeredLastDay: z.int(),
  generatedLastDay: z.int(),
  isComplete: z
    .boolean()
    .describe('false: there are more of something than the 100,000 up to which it is counted'),
  oldestUnfinishedAt: instant.nullable(),
  trend: z.object({
    hours: z.array(registered).describe('The last 24, the present one too'),
    days: z.array(registered).describe('The last 30, today too'),
  }),
  /** What keeps the service from its work until an operator sees to it. */
  warnings: z.array(overviewWarning),
  isSandbox: z
    .boolean()
    .default(false)
    .describe('Registries and liveness are answered in process, and a password alone opens a session'),
  faultyEvidence: z
    .array(faultyEvidence)
    .default([])
    .describe('The last 20 found: proof of a check that cannot be shown until it is put back from a backup'),
});

/** What an operator sees first. */
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
