import { z } from 'zod';
import { operatorRoleSchema, sessionMethodSchema, sessionScopeSchema } from '../shared/enumerations.ts';
import { idSchema, instant, text } from '../shared/fields.ts';
import { change } from './common.ts';
import { operatorFactor } from './factors.ts';
import type { OperatorProcedure } from './procedure.ts';

/** Tokens of a session. A refresh token is valid once: the answer has the next one. */
export const sessionTokens = z.object({
  accessToken: z.string(),
  expiresIn: z.int().describe('Lifetime in seconds'),
  refreshToken: z.string(),
  role: operatorRoleSchema,
  scope: sessionScopeSchema.describe('`enrolment` until a required second factor is enrolled'),
});

/** Session of an operator; administrators see it too. */
export const operatorSession = z.object({
  sessionId: idSchema,
  method: sessionMethodSchema,
  scope: sessionScopeSchema,
  createdAt: instant,
  lastUsedAt: instant.describe('Time of the last renewal of its tokens'),
  expiresAt: instant,
  address: z.string(),
  userAgent: z.string(),
});

const anySession = {
  service: 'intake',
  role: 'viewer',
  sessions: ['full', 'enrolment', 'breakGlass'],
} as const;
const ended = z.object({ ended: z.int().describe('Number of sessions') });

/** Procedures for an operator's own sessions. */
export const sessionProcedures = {
  'auth.sessions': {
    ...anySession,
    kind: 'query',
    input: z.object({}).default({}),
    output: z.object({
      operator: z.object({
        operatorId: idSchema,
        email: z.string(),
        role: operatorRoleSchema,
        scope: sessionScopeSchema,
      }),
      items: z
        .array(operatorSession.extend({ isCurrent: z.boolean() }))
        .describe('Open sessions, newest first'),
      factors: z.array(operatorFactor),
      recoveryCodesLeft: z.int(),
    }),
  },
  'auth.signOut': { ...anySession, kind: 'mutation', input: z.object(change).default({}), output: ended },
  'auth.endSession': {
    ...anySession,
    kind: 'mutation',
    input: z
      .object({
        sessionId: idSchema.optional(),
        all: z.literal(true).optional().describe('Ends all sessions, including this one'),
        ...change,
      })
      .refine(
        ({ sessionId, all }) => (sessionId === undefined) === (all === true),
        'names one session, or all',
      ),
    output: ended,
  },
  'auth.changePassword': {
    service: 'intake',
    role: 'viewer',
    kind: 'mutation',
    input: z.object({
      currentPassword: text(200).min(1),
      newPassword: text(200)
        .min(12, 'must be at least 12 characters')
        .describe('Minimum 12 characters; an easily guessed password is refused'),
      ...change,
    }),
    output: ended.describe('Number of sessions that ended: all except this one'),
    bulkhead: 'passwords',
    seals: { currentPassword: 'account-password', newPassword: 'account-password' },
  },
} as const satisfies Record<string, OperatorProcedure>;
