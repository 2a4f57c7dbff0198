import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorCaller } from '@rubrica/service';
import { AuditEntity } from './operator.entity.ts';

export interface AuditedChange {
  readonly operator: OperatorCaller;
  readonly action: string;
  readonly target: string;
  readonly reason?: string | undefined;
  /** Never a secret. */
  readonly details?: Record<string, unknown>;
  readonly now: Date;
}

/** Who changed what and why, in the transaction of the change itself. */
export const audit = (em: EntityManager, change: AuditedChange): void => {
  em.create(AuditEntity, {
    at: change.now,
    actor: `operator:${change.operator.email}`,
    action: change.action,
    target: change.target,
    reason: change.reason ?? null,
    details: change.details ?? {},
  });
};
