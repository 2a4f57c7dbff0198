import { z } from 'zod';
import { operatorRoleSchema, scopeSchema, services } from './enumerations.ts';
import { idSchema } from './fields.ts';

/** Who a call over the bus is made for; the claims of the internal identity token. */
export const callerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('service'), name: z.enum(services) }),
  z.object({
    kind: z.literal('partner'),
    partnerId: idSchema,
    clientId: z.string(),
    scopes: z.array(scopeSchema),
  }),
  z.object({
    kind: z.literal('operator'),
    operatorId: idSchema,
    email: z.string(),
    role: operatorRoleSchema,
  }),
  z.object({ kind: z.literal('public') }),
]);
export type Caller = z.infer<typeof callerSchema>;
