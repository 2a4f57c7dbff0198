import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import { operatorRoleSchema, type Scope, scopeSchema } from '@rubrica/contracts/shared/enumerations';
import { idSchema } from '@rubrica/contracts/shared/fields';
import { z } from 'zod';

/** Claims that identify the owner in all our tokens. */
export const partnerClaims = {
  kind: z.literal('partner'),
  sub: z.string(),
  client_id: z.string(),
  partner_id: idSchema,
  scope: z.string(),
};
export const operatorClaims = {
  kind: z.literal('operator'),
  sub: idSchema,
  client_id: z.string(),
  email: z.string(),
  role: operatorRoleSchema,
};
const callerClaims = z.discriminatedUnion('kind', [z.object(partnerClaims), z.object(operatorClaims)]);
type CallerClaims = z.output<typeof callerClaims>;

export function toClaims(caller: VouchedCaller): CallerClaims {
  if (caller.kind === 'operator') {
    const { kind, operatorId, email, role } = caller;
    return { kind, sub: operatorId, client_id: 'dashboard', email, role };
  }
  const { kind, clientId, partnerId, scopes } = caller;
  return { kind, sub: clientId, client_id: clientId, partner_id: partnerId, scope: scopes.join(' ') };
}

export function fromCallerClaims(claims: CallerClaims): VouchedCaller {
  if (claims.kind === 'operator') {
    return { kind: 'operator', operatorId: claims.sub, email: claims.email, role: claims.role };
  }
  const { partner_id: partnerId, client_id: clientId, scope } = claims;
  return { kind: 'partner', partnerId, clientId, scopes: knownScopes(scope) };
}

/** Reads the known scopes. Unknown ones, of a later release or of another issuer, are dropped. */
export function knownScopes(scope: string): Scope[] {
  return scope.split(' ').filter((text): text is Scope => scopeSchema.safeParse(text).success);
}
