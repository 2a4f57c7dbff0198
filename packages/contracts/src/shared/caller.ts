import type { OperatorRole, Scope, ServiceName, SessionScope } from './enumerations.ts';

/** For whom a service calls another, if not for itself. */
export type VouchedCaller =
  | {
      readonly kind: 'partner';
      readonly partnerId: string;
      readonly clientId: string;
      readonly scopes: Scope[];
    }
  | {
      readonly kind: 'operator';
      readonly operatorId: string;
      readonly email: string;
      readonly role: OperatorRole;
      /** As intake has it now; other services are called for full sessions alone. */
      readonly session?: { readonly id: string; readonly scope: SessionScope };
    };

/** Who a call is made for. `public` stands at the gateway's doors alone: no call over the bus is made for nobody. */
export type Caller =
  | VouchedCaller
  | { readonly kind: 'service'; readonly name: ServiceName }
  | { readonly kind: 'public' };
