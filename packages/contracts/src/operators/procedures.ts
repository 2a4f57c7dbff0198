import type { z } from 'zod';
import { type ApprovalService, approvalServices, type ServiceName } from '../shared/enumerations.ts';
import { approvalProcedures } from './approvals.ts';
import { type AuditService, auditProcedures, auditServices } from './audit.ts';
import { authorityProcedures } from './authorities.ts';
import { certificateProcedures } from './certificates.ts';
import { deliveryProcedures } from './deliveries.ts';
import { factorProcedures } from './factors.ts';
import { refuseUnknownFields } from './known-fields.ts';
import { messageProcedures } from './messages.ts';
import { operatorAccountProcedures } from './operators.ts';
import { overviewProcedures } from './overview.ts';
import { partnerKeyProcedures } from './partner-keys.ts';
import { partnerProcedures } from './partners.ts';
import { passkeyProcedures } from './passkeys.ts';
import type { OperatorProcedure } from './procedure.ts';
import { reportProcedures } from './reports.ts';
import { requestProcedures } from './requests.ts';
import { retentionProcedures } from './retention.ts';
import { reviewProcedures } from './reviews.ts';
import { sessionProcedures } from './sessions.ts';
import { signInProcedures } from './sign-in.ts';
import { termsProcedures } from './terms.ts';

/** Every operators' procedure at `/trpc`, by its path. */
export const operatorProcedures = refuseUnknownFields({
  ...signInProcedures,
  ...sessionProcedures,
  ...factorProcedures,
  ...passkeyProcedures,
  ...requestProcedures,
  ...retentionProcedures,
  ...reviewProcedures,
  ...approvalProcedures,
  ...operatorAccountProcedures,
  ...partnerProcedures,
  ...partnerKeyProcedures,
  ...termsProcedures,
  ...deliveryProcedures,
  ...messageProcedures,
  ...certificateProcedures,
  ...authorityProcedures,
  ...auditProcedures,
  ...overviewProcedures,
  ...reportProcedures,
} as const satisfies Record<string, OperatorProcedure>);

export type OperatorPath = keyof typeof operatorProcedures;
export type OperatorInput<P extends OperatorPath> = z.infer<(typeof operatorProcedures)[P]['input']>;
export type OperatorOutput<P extends OperatorPath> = z.infer<(typeof operatorProcedures)[P]['output']>;

/** Lists the services that answer a procedure. */
export function answeringServices(path: OperatorPath): readonly ServiceName[] {
  const { service, servedBy }: OperatorProcedure = operatorProcedures[path];
  if (servedBy === undefined) return [service];
  return servedBy === 'service' ? auditServices : approvalServices;
}

/**
 * Procedures that a service answers. Every service with an audit log, or with waiting changes, answers the procedures
 * for those.
 */
export type ServiceOperatorPath<Service extends ServiceName> = {
  [P in OperatorPath]: (typeof operatorProcedures)[P] extends { readonly servedBy: infer By }
    ? Service extends (By extends 'service' ? AuditService : ApprovalService)
      ? P
      : never
    : (typeof operatorProcedures)[P]['service'] extends Service
      ? P
      : never;
}[OperatorPath];

/**
 * Changes of a service that need the role of an administrator, and a second administrator unless their row decides
 * otherwise.
 */
export type ServiceAdministratorPath<Service extends ServiceName> = {
  [P in ServiceOperatorPath<Service>]: (typeof operatorProcedures)[P] extends {
    readonly kind: 'mutation';
    readonly role: 'admin';
  }
    ? P extends `approvals.${string}`
      ? never
      : P
    : never;
}[ServiceOperatorPath<Service>];
