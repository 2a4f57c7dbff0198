import { z } from 'zod';
import { idSchema, instant } from '../shared/fields.ts';
import { change, page, search } from './common.ts';
import type { OperatorProcedure } from './procedure.ts';

const changeById = z.object({ id: idSchema, ...change });

const message = z.object({
  id: idSchema,
  requestId: idSchema.nullable().describe('null for an e-mail to an operator'),
  channel: z.enum(['email', 'sms']),
  template: z.string(),
  to: z.string().describe('Masked'),
  state: z.enum(['PENDING', 'SENT', 'FAILED', 'SUPERSEDED']),
  attempts: z.int(),
  lastError: z.string().nullable(),
  createdAt: instant,
  sentAt: instant.nullable(),
});

/** Operators' procedures for e-mails and SMS to applicants, and e-mails about operators' accounts. */
export const messageProcedures = {
  'messages.search': {
    kind: 'query',
    takesTurns: true,
    service: 'notifier',
    role: 'viewer',
    input: z.object({ ...search, state: message.shape.state.optional(), requestId: idSchema.optional() }),
    output: page(message),
  },
  'messages.resend': {
    kind: 'mutation',
    service: 'notifier',
    role: 'reviewer',
    input: changeById,
    output: message,
  },
} as const satisfies Record<string, OperatorProcedure>;
