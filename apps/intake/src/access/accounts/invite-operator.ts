import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import type { AccessDeps } from '../deps.ts';
import { mailInvitation } from '../invitations/open-invitation.ts';
import { addMakers } from '../operators/makers.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import type { OperatorDeps } from '../operators/operator-directory.ts';
import { auditOperatorChange, viewChangedOperator } from './audit-operator-change.ts';
import { lockOperatorChanges, toOperatorState } from './lock-operator.ts';

type InviteOperatorDeps = Pick<AccessDeps, 'database' | 'rows' | 'clock' | 'newId' | 'keyring'> &
  OperatorDeps;

/**
 * Creates an account that its owner opens by a link within 24 h; before that it may do nothing. An invited
 * operator who has not opened it gets a new link, and the earlier one ends.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED for the address of an operator
 */
export function createInviteOperator(
  deps: InviteOperatorDeps,
): AdministratorChange<'operators.invite', { readonly operatorId: string }> {
  return {
    lockFirst: lockOperatorChanges,
    async loadBefore(em, { email }) {
      const existing = await findInvited(em, email);
      return existing && toOperatorState(existing);
    },
    async make(em, { email, role, language, reason }, by) {
      const how = { action: 'invite', now: deps.clock() } as const;
      const operator = (await findInvited(em, email)) ?? newOperator(em, email, deps);
      operator.role = role;
      operator.madeBy = addMakers(operator.madeBy, by, how);
      await em.flush();
      await mailInvitation(em, { operator, kind: 'invite', language, causedBy: by.email }, deps);
      const details = { email: operator.email, role };
      const operatorId = operator.id;
      await auditOperatorChange(em, { operatorId, by, action: 'operators.invite', reason, details });
      return { operatorId };
    },
    answer: ({ operatorId }) => viewChangedOperator(deps, operatorId),
    loadPresent: async () => ({}),
  };
}

async function findInvited(em: EntityManager, email: string): Promise<Operator | null> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const existing = await em.findOne(OperatorEntity, { email: email.toLowerCase() }, options);
  if (existing === null || isInvited(existing)) return existing;
  throw new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('operator.knownAddress'),
  });
}

/** Returns true while nobody has chosen a password for the account. */
export function isInvited({ enabled, passwordHash }: Pick<Operator, 'enabled' | 'passwordHash'>): boolean {
  return !enabled && passwordHash === null;
}

/** Creates an operator as whom nobody can sign in. */
export function newOperator(
  em: EntityManager,
  email: string,
  { newId, clock }: Pick<AccessDeps, 'newId' | 'clock'>,
): Operator {
  return em.create(OperatorEntity, {
    id: newId(),
    email: email.toLowerCase(),
    passwordHash: null,
    role: 'viewer',
    enabled: false,
    madeBy: [],
    createdAt: clock(),
  });
}
