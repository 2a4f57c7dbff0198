import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import type { Database } from '@rubrica/database/connection';
import { ifIntact } from '@rubrica/database/guarded';
import { isInvited, newOperator } from '../../access/accounts/invite-operator.ts';
import { InvitationEntity } from '../../access/invitations/invitation.entity.ts';
import { mailInvitation } from '../../access/invitations/open-invitation.ts';
import { breakGlassOperator } from '../../access/operators/break-glass-operator.ts';
import { type Operator, OperatorEntity } from '../../access/operators/operator.entity.ts';
import type { BaseDeps } from '../../base/deps.ts';

type FirstAdministratorsDeps = Pick<BaseDeps, 'keyring' | 'newId' | 'clock'> & {
  readonly database: Database;
};

/**
 * Creates accounts without a password for the administrators named at setup, and mails each a link, which the
 * outbox sends once the services run. An administrator whose link ended unused gets another one. Nobody is
 * added once there are other administrators, who are then invited by two, nor while intake has not written
 * the row of any operator.
 * @param emails in lower case
 * @returns number of links sent now
 */
export function inviteFirstAdministrators(
  deps: FirstAdministratorsDeps,
  emails: readonly string[],
): Promise<number> {
  return deps.database.transaction(async (em) => {
    const all = await ifIntact(em.find(OperatorEntity, {}));
    const named = [...emails, breakGlassOperator.email];
    // A row that intake has not written may hide that there are other administrators.
    if (all === null || all.some(({ role, email }) => role === 'admin' && !named.includes(email))) return 0;
    let invited = 0;
    for (const email of emails) {
      const operator = await findOrAdd(em, email, deps);
      if (operator === undefined) continue;
      const invitation = { operator, kind: 'invite', language: 'es', causedBy: 'Rubrica' } as const;
      await mailInvitation(em, invitation, deps);
      invited += 1;
    }
    return invited;
  });
}

/** Finds or adds the operator to invite; undefined if the account was opened already or has a valid link. */
async function findOrAdd(
  em: EntityManager,
  email: string,
  deps: FirstAdministratorsDeps,
): Promise<Operator | undefined> {
  const known = await em.findOne(OperatorEntity, { email });
  if (known === null) return add(em, email, deps);
  const isOpen = { operatorId: known.id, expiresAt: { $gt: deps.clock() } };
  return isInvited(known) && (await em.count(InvitationEntity, isOpen)) === 0 ? known : undefined;
}

async function add(em: EntityManager, email: string, deps: FirstAdministratorsDeps): Promise<Operator> {
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
