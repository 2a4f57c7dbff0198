import { z } from 'zod';
import { passkeyOptionsOutput } from '../services/schemas/approval-grants.ts';
import { type ApprovalService, approvalServices, serviceSchema } from '../shared/enumerations.ts';
import { instant } from '../shared/fields.ts';
import { passkeyAssertion } from '../shared/webauthn.ts';
import { change, page, search } from './common.ts';

/** Id of a waiting change: the service that stores it, and a UUID v7. */
export const approvalId = z
  .string()
  .regex(
    /^(intake|generation|terms)\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    'must be the id of a change that waits',
  )
  .describe('`<service>.<UUID>`');

/** Reads the service from the id of a change. */
export function parseApprovalService(id: string): ApprovalService {
  return approvalServices.find((service) => id.startsWith(`${service}.`)) ?? 'intake';
}

/** Part of the answer to a change that waits for a second administrator; absent if the change was applied at once. */
export const waitingChange = { approvalId: approvalId.optional() } as const;

const record = z.record(z.string(), z.unknown());
const approval = z.object({
  id: approvalId,
  change: z.object({ procedure: z.string(), input: record }),
  before: record.nullable().describe('Record when the change was proposed; null for a new one'),
  after: record.describe('Record with the change applied'),
  proposedBy: z.string().describe('E-mail of the operator'),
  reason: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant,
});
const byId = z.object({ id: approvalId });
const decision = byId.extend(change);

/** Operators' procedures for changes that wait for a second administrator. */
export const approvalProcedures = {
  'approvals.list': {
    kind: 'query',
    service: 'intake',
    servedBy: 'each',
    role: 'admin',
    input: z.object({
      ...search,
      cursor: approvalId.optional().describe('`nextCursor` of the previous page'),
    }),
    output: page(approval)
      .extend({
        unanswered: z
          .array(serviceSchema)
          .describe(
            'Services that did not answer. Their changes are missing from the page: start again later',
          ),
      })
      .describe('Waiting changes, newest first'),
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
    output: passkeyOptionsOutput,
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
          'Response of one of your passkeys to `approvals.passkeyOptions`. Required if you have a passkey, otherwise `PASSKEY_NEEDED`',
        ),
    }),
    seals: { response: 'approval-response' },
    output: approval.extend({
      result: z
        .unknown()
        .describe('Answer of the procedure, including new secrets, which are shown only here and once'),
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
