import type { EntityManager } from '@mikro-orm/postgresql';
import type { Decider } from '@rubrica/approvals/administrator-change';
import { recordAudit } from '@rubrica/audit/log';
import type { OperatorPath } from '@rubrica/contracts/operators/procedures';
import type { AccessDeps } from '../deps.ts';
import type { OperatorDeps } from '../operators/operator-directory.ts';
import { type OperatorView, viewOperator } from './operator-view.ts';

interface OperatorChange {
  readonly operatorId: string;
  readonly by: Pick<Decider, 'email'>;
  readonly action: OperatorPath;
  readonly reason: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Adds the entry of an operator's change to the audit log, in its transaction. */
export function auditOperatorChange(
  em: EntityManager,
  { operatorId, by, ...entry }: OperatorChange,
): Promise<void> {
  return recordAudit(em, { ...entry, actor: `operator:${by.email}`, target: `operator:${operatorId}` });
}

/** Creates the answer once the change is committed. */
export function viewChangedOperator(
  deps: Pick<AccessDeps, 'database' | 'rows'> & OperatorDeps,
  operatorId: string,
): Promise<OperatorView> {
  deps.operators.forget(operatorId);
  return viewOperator(deps, operatorId);
}
