import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorCaller } from '@rubrica/service';
import { type AuditAction, AuditEntry } from './audit-entry.entity.ts';
import type { TermsVersion } from './terms-version.entity.ts';

/** Who makes a change, and why. */
export interface Change {
  readonly operatorId: string;
  readonly operatorEmail: string;
  readonly reason: string | undefined;
  readonly requestId: string;
}

export function changeBy(
  { caller, requestId }: { readonly caller: OperatorCaller; readonly requestId: string },
  reason: string | undefined,
): Change {
  return { operatorId: caller.operatorId, operatorEmail: caller.email, reason, requestId };
}

export interface AuditedEvent {
  readonly id: string;
  readonly at: Date;
  readonly action: AuditAction;
  readonly termsVersion: TermsVersion;
  readonly replacedVersion?: TermsVersion | null;
}

/** Adds the audit row to the transaction of the change. */
export function audit(em: EntityManager, change: Change, event: AuditedEvent): void {
  em.persist(
    em.create(AuditEntry, {
      ...event,
      replacedVersion: event.replacedVersion ?? null,
      operatorId: change.operatorId,
      operatorEmail: change.operatorEmail,
      reason: change.reason ?? null,
      requestId: change.requestId,
    }),
  );
}
