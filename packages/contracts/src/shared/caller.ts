import { z } from 'zod';
import { operatorRoleSchema, type ServiceName, scopeSchema } from './enumerations.ts';
import { idSchema } from './fields.ts';

/** For whom a service calls another, if not for itself; the fields of the token that goes with the call. */
export const vouchedCallerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('partner'),
    partnerId: idSchema,
    clientId: z.string(),
    scopes: z.array(scopeSchema),
    /** Which state of its rights the access token was made from; absent where the token is not ours. */
    gen: z.int().min(1).optional(),
  }),
  z.object({
    kind: z.literal('operator'),
    operatorId: idSchema,
    email: z.string(),
    role: operatorRoleSchema,
    gen: z.int().min(1).optional(),
  }),
]);
export type VouchedCaller = z.infer<typeof vouchedCallerSchema>;

/** Who a call is made for. `public` stands at the gateway's doors alone: no call over the bus is made for nobody. */
export type Caller =
  | VouchedCaller
  | { readonly kind: 'service'; readonly name: ServiceName }
  | { readonly kind: 'public' };
