import { z } from 'zod';
import { type DatabaseService, databaseServiceSchema } from '../shared/enumerations.ts';
import { idSchema, instant, line, text } from '../shared/fields.ts';
import type { OperatorProcedure } from './procedure.ts';

/** The services whose audit logs are chained; each keeps its own. */
export type AuditService = DatabaseService;
export const auditServices = databaseServiceSchema.options;

const service = databaseServiceSchema
  .default('generation')
  .describe(
    'Whose log: generation decides on certificates, intake on requests, partners and operators, terms on what people accept; notifier sends again what operators ask for',
  );
const cursor = z
  .string()
  .regex(/^\d{1,16}$/, 'must be one that an earlier page gave')
  .optional();

const listInput = z.object({
  service,
  cursor,
  limit: z.int().min(1).max(100).default(25),
  actor: line(200).optional().describe('Exactly, such as operator:admin@example.com'),
  action: line(100).optional().describe('Exactly, such as certificate.issued'),
  requestId: idSchema.optional(),
  since: instant.optional().describe('Written at this time or later'),
  until: instant.optional().describe('Written before this time'),
});

const entry = z.object({
  service: databaseServiceSchema,
  id: z.string(),
  sequence: z.int().nullable().describe('Place in the chain; null until it has one, about a second'),
  hash: z.string().nullable().describe('SHA-256, hex'),
  at: instant,
  actor: z.string(),
  action: z.string(),
  target: z.string().nullable().describe('What was acted on, such as partner:<id> or certificate:<serial>'),
  requestId: idSchema.nullable(),
  reason: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  isAuthentic: z
    .boolean()
    .optional()
    .describe(
      'False where the service did not write it: it was added in its database, and counts for nothing',
    ),
});

const listOutput = z.object({ items: z.array(entry), nextCursor: z.string().nullable() });

const verifyInput = z.object({
  service,
  cursor: cursor.describe('Where to go on; the first place of the chain unless given'),
  limit: z.int().min(1).max(10_000).default(5_000).describe('Rows to look at in this call'),
  checkpoint: text(2_000).optional().describe('One that was kept elsewhere, compact JWS'),
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
  intact: z.boolean().describe('Nothing was found in the rows that this call looked at'),
  rows: z.int(),
  checkpoints: z.int(),
  findings: z.array(finding),
  nextCursor: z.string().nullable().describe('null: the end was reached'),
  end: z.int().describe('Last place of the chain'),
  lastCheckpoint: z.int().describe('Place that the last checkpoint speaks of'),
  unchained: z.int().describe('Rows without a place yet; told when the end is reached'),
});

/** Operators' procedures about the audit logs: each service that keeps one answers for its own. */
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
