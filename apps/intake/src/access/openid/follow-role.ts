import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { recordAudit } from '@rubrica/database';
import type { AccessDeps } from '../deps.ts';
import { organisation } from '../operators/independence.ts';
import type { Operator } from '../operators/operator.entity.ts';

interface Given {
  readonly operator: Operator;
  /** Undefined where the provider gives none. */
  readonly role: OperatorRole | undefined;
  readonly issuer: string;
}

const rank: Readonly<Record<OperatorRole, number>> = { viewer: 0, reviewer: 1, admin: 2 };

/**
 * Writes the role that the provider gives into the operator's row, in the caller's transaction. Whoever has lost it keeps
 * the row as a viewer, so that what he has proposed or approved counts no more, and no session.
 */
export async function followRole(
  em: EntityManager,
  { operator, role, issuer }: Given,
  { clock }: Pick<AccessDeps, 'clock'>,
): Promise<void> {
  const { role: before } = operator;
  const after = role ?? 'viewer';
  if (after === before && role !== undefined) return;
  operator.role = after;
  // Every session that was opened by other rights ends.
  operator.gen += 1;
  if (rank[after] > rank[before]) {
    const made = { operatorId: organisation, at: clock().toISOString(), action: 'promote' } as const;
    operator.madeBy = [...operator.madeBy, made];
  }
  await em.flush();
  await recordAudit(em, {
    actor: `${organisation}:${issuer}`,
    action: 'operators.changeRole',
    target: `operator:${operator.id}`,
    details: { email: operator.email, from: before, to: role ?? null },
  });
}
