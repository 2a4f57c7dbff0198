import { z } from 'zod';
import { instant } from '../shared/fields.ts';
import { change, page, search } from './common.ts';

/** The services that keep changes for a second administrator. */
const approvalServices = ['intake'] as const;
export type ApprovalService = (typeof approvalServices)[number];

/** The service that keeps it, and a UUID v7. */
export const approvalId = z
  .string()
  .regex(/^intake\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be the id of a change that waits')
  .describe('`<service>.<UUID>`');

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
    role: 'admin',
    input: z.object(search),
    output: page(approval).describe('Those that wait, newest first'),
  },
  'approvals.get': { kind: 'query', service: 'intake', role: 'admin', input: byId, output: approval },
  'approvals.approve': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: decision,
    output: approval.extend({
      result: z.unknown().describe('What the procedure answers, new secrets included: shown here once'),
    }),
  },
  'approvals.reject': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: decision,
    output: approval,
  },
} as const;
