import { z } from 'zod';
import { operatorRoleSchema, sessionMethodSchema, sessionScopeSchema } from '../shared/enumerations.ts';
import { idSchema, instant, text } from '../shared/fields.ts';
import { change } from './common.ts';
import { operatorFactor } from './factors.ts';
import type { OperatorProcedure } from './procedure.ts';

/** A session's tokens. The refresh token is used once: the answer has the next. */
export const signedIn = z.object({
  accessToken: z.string(),
  expiresIn: z.int().describe('Seconds'),
  refreshToken: z.string(),
  role: operatorRoleSchema,
  scope: sessionScopeSchema.describe('`enrolment` until a second factor is enrolled, where one is due'),
});

/** Of an operator; also shown to administrators. */
export const operatorSession = z.object({
  sessionId: idSchema,
  method: sessionMethodSchema,
  scope: sessionScopeSchema,
  createdAt: instant,
  lastUsedAt: instant.describe('When its tokens were last renewed'),
  expiresAt: instant,
  address: z.string(),
  userAgent: z.string(),
});

const ofAnySession = {
  service: 'intake',
  role: 'viewer',
  sessions: ['full', 'enrolment', 'breakGlass'],
} as const;
const ended = z.object({ ended: z.int().describe('How many sessions') });

/** What operators do with sessions of their own. */
export const sessionProcedures = {
  'auth.sessions': {
    ...ofAnySession,
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
        .describe('Those that are open, newest first'),
      factors: z.array(operatorFactor),
      recoveryCodesLeft: z.int(),
    }),
  },
  'auth.signOut': { ...ofAnySession, kind: 'mutation', input: z.object(change).default({}), output: ended },
  'auth.endSession': {
    ...ofAnySession,
    kind: 'mutation',
    input: z
      .object({
        sessionId: idSchema.optional(),
        all: z.literal(true).optional().describe('This one too: signed out everywhere'),
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
        .describe('12 characters or more; one that is soon guessed is refused'),
      ...change,
    }),
    output: ended.describe('Sessions that ended: all but this one'),
    bulkhead: 'passwords',
    seals: { currentPassword: 'account-password', newPassword: 'account-password' },
  },
} as const satisfies Record<string, OperatorProcedure>;
