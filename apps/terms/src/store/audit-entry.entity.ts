import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

import { TermsVersion } from './terms-version.entity.ts';

export const auditActions = ['terms.createVersion', 'terms.activate'] as const;
export type AuditAction = (typeof auditActions)[number];

/** Who changed what, and why: written in the transaction of the change, so that neither exists without the other. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.uuid().primary(),
    at: p.datetime(3),
    operatorId: p.uuid(),
    operatorEmail: p.text(),
    action: p.text().$type<AuditAction>(),
    termsVersion: () => p.manyToOne(TermsVersion),
    /** The version that stopped being active, where the action was an activation that replaced one. */
    replacedVersion: () => p.manyToOne(TermsVersion).nullable(),
    reason: p.text().nullable(),
    requestId: p.text(),
  },
});
export type AuditEntry = InferEntity<typeof AuditEntry>;
