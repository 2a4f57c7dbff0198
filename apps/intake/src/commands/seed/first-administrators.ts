import type { EntityManager } from '@mikro-orm/postgresql';
import { type Database, ifIntact, recordAudit } from '@rubrica/database';
import { isInvited, newOperator } from '../../access/accounts/invite-operator.ts';
import { InvitationEntity } from '../../access/invitations/invitation.entity.ts';
import { mailInvitation } from '../../access/invitations/open-invitation.ts';
import { breakGlassOperator } from '../../access/operators/break-glass-operator.ts';
import { type Operator, OperatorEntity } from '../../access/operators/operator.entity.ts';
import type { BaseDeps } from '../../base/deps.ts';

type Needs = Pick<BaseDeps, 'keyring' | 'newId' | 'clock'> & { readonly database: Database };

/**
 * Who is named at setup gets an account without a password and a link by mail, which the outbox sends when the services
 * run; and another link where that one ended unused. Nobody is added once others are administrators, who are then
 * invited by two, nor while the row of any operator is not as intake wrote it.
 * @param emails in lower case
 * @returns to how many a link goes now
 */
export function inviteFirstAdministrators(deps: Needs, emails: readonly string[]): Promise<number> {
  return deps.database.transaction(async (em) => {
    const all = await ifIntact(em.find(OperatorEntity, {}));
    const named = [...emails, breakGlassOperator.email];
    // A row that intake has not written may hide that others are administrators.
    if (all === null || all.some(({ role, email }) => role === 'admin' && !named.includes(email))) return 0;
    let invited = 0;
    for (const email of emails) {
      const operator = await toInvite(em, email, deps);
      if (operator === undefined) continue;
      const mailed = { operator, kind: 'invite', language: 'es', causedBy: 'Rubrica' } as const;
      await mailInvitation(em, mailed, deps);
      invited += 1;
    }
    return invited;
  });
}

/** Undefined for who has opened the account already, or has a link that is still good. */
async function toInvite(em: EntityManager, email: string, deps: Needs): Promise<Operator | undefined> {
  const known = await em.findOne(OperatorEntity, { email });
  if (known === null) return add(em, email, deps);
  const isOpen = { operatorId: known.id, expiresAt: { $gt: deps.clock() } };
  return isInvited(known) && (await em.count(InvitationEntity, isOpen)) === 0 ? known : undefined;
}

async function add(em: EntityManager, email: string, deps: Needs): Promise<Operator> {
  const operator = newOperator(em, email, deps);
  operator.role = 'admin';
  await em.flush();
  await recordAudit(em, {
    actor: 'service:intake-provision',
    action: 'operators.invite',
    target: `operator:${operator.id}`,
    details: { email, role: operator.role },
  });
  return operator;
}
