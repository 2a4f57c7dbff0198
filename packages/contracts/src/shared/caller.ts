import type { OperatorRole, Scope, ServiceName, SessionScope } from './enumerations.ts';

/** Partner or operator for whom a service calls another. */
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
      /** Session as intake has it now; only full sessions call other services. */
      readonly session?: { readonly id: string; readonly scope: SessionScope };
    };

/** Principal of a call. `public` exists at the gateway only: every call over the bus has a principal. */
export type Caller =
  | VouchedCaller
  | { readonly kind: 'service'; readonly name: ServiceName }
  | { readonly kind: 'public' };
