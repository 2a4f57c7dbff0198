import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorPath } from '@rubrica/contracts/operators/procedures';
import { recordAudit } from '@rubrica/database';
import type { Decider } from '@rubrica/wiring/approvals';
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

/**
 * Audits the change of an operator.
 * @returns a function that creates the answer once the change is committed
 */
export async function auditOperatorChange(
  em: EntityManager,
  { operatorId, by, ...entry }: OperatorChange,
  deps: Pick<AccessDeps, 'database' | 'rows'> & OperatorDeps,
): Promise<() => Promise<OperatorView>> {
  await recordAudit(em, {
    ...entry,
    actor: `operator:${by.email}`,
    target: `operator:${operatorId}`,
  });
  return () => {
    deps.operators.forget(operatorId);
    return viewOperator(deps, operatorId);
  };
}
