import { z } from 'zod';
import { type DatabaseService, databaseServiceSchema } from '../shared/enumerations.ts';
import { idSchema, instant, lineField, text } from '../shared/fields.ts';
import type { OperatorProcedure } from './procedure.ts';

/** Services with their own chained audit log. */
export type AuditService = DatabaseService;
export const auditServices = databaseServiceSchema.options;

const service = databaseServiceSchema
  .default('generation')
  .describe(
    'Service of the log. generation: certificates; intake: requests, partners and operators; terms: terms and conditions; notifier: deliveries and messages that operators send again',
  );
const cursor = z
  .string()
  .regex(/^\d{1,16}$/, 'must be one that an earlier page gave')
  .optional();

const listInput = z.object({
  service,
  cursor,
  limit: z.int().min(1).max(100).default(25),
  actor: lineField(200).optional().describe('Exact match, for example operator:admin@example.com'),
  action: lineField(100).optional().describe('Exact match, for example certificate.issued'),
  requestId: idSchema.optional(),
  since: instant.optional().describe('Written at this time or later'),
  until: instant.optional().describe('Written before this time'),
});

const entry = z.object({
  service: databaseServiceSchema,
  id: z.string(),
  sequence: z
    .int()
    .nullable()
    .describe('Position in the chain; null for about a second, until it is assigned'),
  hash: z.string().nullable().describe('SHA-256, hex'),
  at: instant,
  actor: z.string(),
  action: z.string(),
  target: z
    .string()
    .nullable()
    .describe('Object of the action, for example partner:<id> or certificate:<serial>'),
  requestId: idSchema.nullable(),
  reason: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  isAuthentic: z
    .boolean()
    .optional()
    .describe(
      'False if the service did not write the entry: it was added directly in the database and must be ignored',
    ),
});

const listOutput = z.object({ items: z.array(entry), nextCursor: z.string().nullable() });

const verifyInput = z.object({
  service,
  cursor: cursor.describe('Position to continue at; default: the start of the chain'),
  limit: z.int().min(1).max(10_000).default(5_000).describe('Rows to verify in this call'),
  checkpoint: text(2_000).optional().describe('Checkpoint that was stored elsewhere, as compact JWS'),
});

const finding = z.object({
  kind: z.string(),
  sequence: z.int().nullable(),
  through: z.int().optional(),
  id: z.string().nullable(),
  text: z.string(),
});

const verifyOutput = z.object({
  service: databaseServiceSchema,
  intact: z.boolean().describe('True if this call found no fault in the rows that it verified'),
  rows: z.int(),
  checkpoints: z.int(),
  findings: z.array(finding),
  nextCursor: z.string().nullable().describe('null at the end of the chain'),
  end: z.int().describe('Last position of the chain'),
  lastCheckpoint: z.int().describe('Position of the last checkpoint'),
  unchained: z.int().describe('Rows without a position yet; counted at the end of the chain'),
});

/** Operators' procedures for the audit logs: each service with a log answers for its own. */
export const auditProcedures = {
  'audit.list': {
    kind: 'query',
    takesTurns: true,
    service: 'generation',
    servedBy: 'service',
    role: 'viewer',
    input: listInput,
    output: listOutput,
  },
  'audit.verify': {
    kind: 'query',
    service: 'generation',
    servedBy: 'service',
    role: 'admin',
    input: verifyInput,
    output: verifyOutput,
  },
} as const satisfies Record<string, OperatorProcedure>;
