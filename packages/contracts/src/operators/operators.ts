import { z } from 'zod';
import { operatorRoleSchema } from '../shared/enumerations.ts';
import { email, idSchema, instant } from '../shared/fields.ts';
import { waits } from './approvals.ts';
import { change, page, search } from './common.ts';
import type { OperatorProcedure } from './procedure.ts';
import { oneIsEnough, raisesRole } from './second.ts';

const operator = z.object({
  operatorId: idSchema,
  email,
  role: operatorRoleSchema,
  enabled: z.boolean(),
  createdAt: instant,
});

const byId = z.object({ operatorId: idSchema });
const changeById = byId.extend(change);
const changed = operator.extend(waits);

const changing = { kind: 'mutation', service: 'intake', role: 'admin', output: changed } as const;

/** What administrators do about the accounts of operators; never about their own. */
export const operatorAccountProcedures = {
  'operators.list': {
    kind: 'query',
    service: 'intake',
    role: 'admin',
    input: z.object({
      ...search,
      role: operatorRoleSchema.optional(),
      enabled: z.boolean().optional(),
    }),
    output: page(operator).describe('Newest first'),
  },
  'operators.get': { kind: 'query', service: 'intake', role: 'admin', input: byId, output: operator },
  'operators.changeRole': {
    ...changing,
    input: changeById.extend({ role: operatorRoleSchema }),
    second: raisesRole,
  },
  'operators.disable': { ...changing, input: changeById, second: oneIsEnough },
  'operators.enable': { ...changing, input: changeById },
} as const satisfies Record<string, OperatorProcedure>;
