import { z } from 'zod';
import { languages } from '../services/schemas/applicant-messages.ts';
import { operatorRoleSchema } from '../shared/enumerations.ts';
import { email, idSchema, instant } from '../shared/fields.ts';
import { approvalId, waitingChange } from './approvals.ts';
import { change, page, search } from './common.ts';
import { operatorFactor } from './factors.ts';
import type { OperatorProcedure } from './procedure.ts';
import { endsPerHour, neverNeedsSecond, raisesRole, stopsPerHour } from './second-approver.ts';
import { operatorSession } from './sessions.ts';

const operator = z.object({
  operatorId: idSchema,
  email,
  role: operatorRoleSchema,
  enabled: z.boolean(),
  createdAt: instant,
  signsInAt: z
    .enum(['here', 'organisation'])
    .describe('`organisation`: only at its OpenID provider, which also sets the role at each sign-in'),
  invitation: z
    .object({ kind: z.enum(['invite', 'reset', 'breakGlass']), expiresAt: instant })
    .nullable()
    .describe('Unused link that was sent to the operator; it is invalid after its end'),
});

const byId = z.object({ operatorId: idSchema });
const changeById = byId.extend(change);
const changedOperator = operator.extend(waitingChange);

const adminProcedure = { service: 'intake', role: 'admin' } as const;
const changeProcedure = { ...adminProcedure, kind: 'mutation', output: changedOperator } as const;
/** Permission for break-glass sessions, which serve a deployment whose administrators cannot sign in. */
const alsoBreakGlass = { sessions: ['full', 'breakGlass'] } as const;

/** Administrators' procedures for the accounts of other operators. */
export const operatorAccountProcedures = {
  'operators.list': {
    ...adminProcedure,
    ...alsoBreakGlass,
    kind: 'query',
    input: z.object({
      ...search,
      role: operatorRoleSchema.optional(),
      enabled: z.boolean().optional(),
    }),
    output: page(operator).describe('Newest first'),
  },
  'operators.get': {
    ...adminProcedure,
    ...alsoBreakGlass,
    kind: 'query',
    input: byId,
    output: operator.extend({
      factors: z.array(operatorFactor),
      sessions: z.array(operatorSession).describe('Open sessions, newest first'),
    }),
  },
  'operators.invite': {
    ...adminProcedure,
    ...alsoBreakGlass,
    kind: 'mutation',
    input: z.object({
      email,
      role: operatorRoleSchema,
      language: z.enum(languages).default('es').describe('Language of the e-mail'),
      ...change,
    }),
    output: z.union([operator, z.object({ approvalId })]),
  },
  'operators.changeRole': {
    ...changeProcedure,
    input: changeById.extend({ role: operatorRoleSchema }),
    second: raisesRole,
    alonePerHour: stopsPerHour,
  },
  'operators.disable': {
    ...changeProcedure,
    input: changeById,
    second: neverNeedsSecond,
    alonePerHour: stopsPerHour,
  },
  'operators.enable': { ...changeProcedure, ...alsoBreakGlass, input: changeById },
  'operators.resetFactors': {
    ...changeProcedure,
    ...alsoBreakGlass,
    input: changeById.extend({
      language: z.enum(languages).default('es').describe('Language of the e-mail'),
    }),
  },
  'operators.endSessions': {
    ...adminProcedure,
    kind: 'mutation',
    input: changeById,
    output: z.object({ ended: z.int().describe('Number of sessions'), ...waitingChange }),
    second: neverNeedsSecond,
    alonePerHour: endsPerHour,
  },
} as const satisfies Record<string, OperatorProcedure>;
