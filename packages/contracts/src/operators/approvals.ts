import { z } from 'zod';
import { serviceSchema } from '../shared/enumerations.ts';
import { instant } from '../shared/fields.ts';
import { change, page, search } from './common.ts';
import { assertionOptions, describedCredential, passkeyAssertion } from './passkeys.ts';

/** The services that keep changes for a second administrator. */
export const approvalServices = ['intake', 'generation', 'terms'] as const;
export type ApprovalService = (typeof approvalServices)[number];

/** The service that keeps it, and a UUID v7. */
export const approvalId = z
  .string()
  .regex(
    /^(intake|generation|terms)\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    'must be the id of a change that waits',
  )
  .describe('`<service>.<UUID>`');

/** The service that its id names. */
export function serviceOfApproval(id: string): ApprovalService {
  return approvalServices.find((service) => id.startsWith(`${service}.`)) ?? 'intake';
}

/** In the answer of a change that waits for a second administrator; absent where it was made at once. */
export const waits = { approvalId: approvalId.optional() } as const;

const record = z.record(z.string(), z.unknown());
const approval = z.object({
  id: approvalId,
  change: z.object({ procedure: z.string(), input: record }),
  before: record.nullable().describe('The record as it was when the change was proposed; null for a new one'),
  after: record.describe('The same with the change'),
  proposedBy: z.string().describe("The operator's e-mail"),
  reason: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant,
});
const byId = z.object({ id: approvalId });
const decision = byId.extend(change);

/** Operators' procedures about changes that wait for a second administrator. */
export const approvalProcedures = {
  'approvals.list': {
    kind: 'query',
    service: 'intake',
    servedBy: 'each',
    role: 'admin',
    input: z.object({
      ...search,
      cursor: approvalId.optional().describe('The `nextCursor` of the page before'),
    }),
    output: page(approval)
      .extend({
        unanswered: z
          .array(serviceSchema)
          .describe('Services that could not be asked: what waits there is missing, so begin again later'),
      })
      .describe('Those that wait, newest first'),
  },
  'approvals.get': {
    kind: 'query',
    service: 'intake',
    servedBy: 'id',
    role: 'admin',
    input: byId,
    output: approval,
  },
  'approvals.passkeyOptions': {
    kind: 'mutation',
    service: 'intake',
    servedBy: 'id',
    role: 'admin',
    input: byId,
    output: z.object({
      options: assertionOptions
        .extend({ allowCredentials: z.array(describedCredential) })
        .nullable()
        .describe(
          "For `navigator.credentials.get`, good for 5 minutes and once; the challenge begins with the proposal's SHA-256. null for who has no passkey: nothing is to be signed",
        ),
    }),
  },
  'approvals.approve': {
    kind: 'mutation',
    service: 'intake',
    servedBy: 'id',
    role: 'admin',
    input: decision.extend({
      response: passkeyAssertion
        .optional()
        .describe(
          'What a passkey of yours has signed by `approvals.passkeyOptions`. Who has a passkey has to send it, else `PASSKEY_NEEDED`',
        ),
    }),
    seals: { response: 'approval-response' },
    output: approval.extend({
      result: z.unknown().describe('What the procedure answers, new secrets included: shown here once'),
    }),
  },
  'approvals.reject': {
    kind: 'mutation',
    service: 'intake',
    servedBy: 'id',
    role: 'admin',
    input: decision,
    output: approval,
  },
} as const;
