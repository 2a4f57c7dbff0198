import { z } from 'zod';
import { languages } from '../services/schemas/applicant-messages.ts';
import { operatorRoleSchema } from '../shared/enumerations.ts';
import { email, idSchema, instant } from '../shared/fields.ts';
import { approvalId, waits } from './approvals.ts';
import { change, page, search } from './common.ts';
import { operatorFactor } from './factors.ts';
import type { OperatorProcedure } from './procedure.ts';
import { endsPerHour, oneIsEnough, raisesRole, stopsPerHour } from './second.ts';
import { operatorSession } from './sessions.ts';

const operator = z.object({
  operatorId: idSchema,
  email,
  role: operatorRoleSchema,
  enabled: z.boolean(),
  createdAt: instant,
  signsInAt: z
    .enum(['here', 'organisation'])
    .describe('`organisation`: at its OpenID provider alone, which also gives the role, at each sign-in'),
  invitation: z
    .object({ kind: z.enum(['invite', 'reset', 'breakGlass']), expiresAt: instant })
    .nullable()
    .describe('The link that was sent and has not been used; it opens nothing after its end'),
});

const byId = z.object({ operatorId: idSchema });
const changeById = byId.extend(change);
const changed = operator.extend(waits);

const byAdministrators = { service: 'intake', role: 'admin' } as const;
const changing = { ...byAdministrators, kind: 'mutation', output: changed } as const;
/** What a deployment needs whose administrators cannot sign in. */
const alsoInNeed = { sessions: ['full', 'breakGlass'] } as const;

/** What administrators do about the accounts of operators; never about their own. */
export const operatorAccountProcedures = {
  'operators.list': {
    ...byAdministrators,
    ...alsoInNeed,
    kind: 'query',
    input: z.object({
      ...search,
      role: operatorRoleSchema.optional(),
      enabled: z.boolean().optional(),
    }),
    output: page(operator).describe('Newest first'),
  },
  'operators.get': {
    ...byAdministrators,
    ...alsoInNeed,
    kind: 'query',
    input: byId,
    output: operator.extend({
      factors: z.array(operatorFactor),
      sessions: z.array(operatorSession).describe('Those that are open, newest first'),
    }),
  },
  'operators.invite': {
    ...byAdministrators,
    ...alsoInNeed,
    kind: 'mutation',
    input: z.object({
      email,
      role: operatorRoleSchema,
      language: z.enum(languages).default('es').describe('Of the e-mail'),
      ...change,
    }),
    output: z.union([operator, z.object({ approvalId })]),
  },
  'operators.changeRole': {
    ...changing,
    input: changeById.extend({ role: operatorRoleSchema }),
    second: raisesRole,
    alonePerHour: stopsPerHour,
  },
  'operators.disable': { ...changing, input: changeById, second: oneIsEnough, alonePerHour: stopsPerHour },
  'operators.enable': { ...changing, ...alsoInNeed, input: changeById },
  'operators.resetFactors': {
    ...changing,
    ...alsoInNeed,
    input: changeById.extend({ language: z.enum(languages).default('es').describe('Of the e-mail') }),
  },
  'operators.endSessions': {
    ...byAdministrators,
    kind: 'mutation',
    input: changeById,
    output: z.object({ ended: z.int().describe('How many sessions'), ...waits }),
    second: oneIsEnough,
    alonePerHour: endsPerHour,
  },
} as const satisfies Record<string, OperatorProcedure>;
