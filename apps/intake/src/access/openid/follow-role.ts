import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import type { AccessDeps } from '../deps.ts';
import { organisationMaker } from '../operators/makers.ts';
import type { Operator } from '../operators/operator.entity.ts';

interface ProviderRole {
  readonly operator: Operator;
  /** Undefined if the provider gives none. */
  readonly role: OperatorRole | undefined;
  readonly issuer: string;
}

const rank: Readonly<Record<OperatorRole, number>> = { viewer: 0, reviewer: 1, admin: 2 };

/**
 * Writes the role from the provider into the operator's row, in the caller's transaction. An operator who
 * lost the role keeps the row as a viewer, so that earlier proposals and approvals count no more, and gets no
 * session.
 */
export async function followRole(
  em: EntityManager,
  { operator, role, issuer }: ProviderRole,
  { clock }: Pick<AccessDeps, 'clock'>,
): Promise<void> {
  const { role: previous } = operator;
  const next = role ?? 'viewer';
  if (next === previous && role !== undefined) return;
  operator.role = next;
  // Every session that was opened with other rights ends.
  operator.gen += 1;
  if (rank[next] > rank[previous]) {
    const maker = { operatorId: organisationMaker, at: clock().toISOString(), action: 'promote' } as const;
    operator.madeBy = [...operator.madeBy, maker];
  }
  await em.flush();
  await recordAudit(em, {
    actor: `${organisationMaker}:${issuer}`,
    action: 'operators.changeRole',
    target: `operator:${operator.id}`,
    details: { email: operator.email, from: previous, to: role ?? null },
  });
}
