import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process';
import type { AdministratorChange } from '@rubrica/wiring/approvals';
import type { AccessDeps } from '../deps.ts';
import { mailInvitation } from '../invitations/open-invitation.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import type { OperatorDeps } from '../operators/operator-directory.ts';
import { changedOperator } from './changed-operator.ts';
import { inTurn, operatorAsItIs } from './lock-operator.ts';
import { madeByWith } from './made-by.ts';

type Needs = Pick<AccessDeps, 'database' | 'rows' | 'clock' | 'newId' | 'keyring'> & OperatorDeps;

/**
 * An account that its owner opens by a link within 24 h; it may do nothing before. Who was invited and has not opened it
 * gets a new link, and the earlier one dies.
 * @throws AppError REQUEST_STATE_NOT_ALLOWED for the address of an operator
 */
export function createInviteOperator(deps: Needs): AdministratorChange<'operators.invite'> {
  return {
    inTurn,
    async before(em, { email }) {
      const known = await invitedBefore(em, email);
      return known && operatorAsItIs(known);
    },
    async make(em, { email, role, language, reason }, by) {
      const how = { action: 'invite', now: deps.clock() } as const;
      const operator = (await invitedBefore(em, email)) ?? newOperator(em, email, deps);
      operator.role = role;
      operator.madeBy = madeByWith(operator.madeBy, by, how);
      await em.flush();
      await mailInvitation(em, { operator, kind: 'invite', language, causedBy: by.email }, deps);
      const details = { email: operator.email, role };
      return changedOperator(
        em,
        { operatorId: operator.id, by, action: 'operators.invite', reason, details },
        deps,
      );
    },
    asItIs: async () => ({}),
  };
}

async function invitedBefore(em: EntityManager, email: string): Promise<Operator | null> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const known = await em.findOne(OperatorEntity, { email: email.toLowerCase() }, options);
  if (known === null || isInvited(known)) return known;
  throw new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('operator.knownAddress'),
  });
}

/** Nobody has chosen a password for the account yet. */
export function isInvited({ enabled, passwordHash }: Pick<Operator, 'enabled' | 'passwordHash'>): boolean {
  return !enabled && passwordHash === null;
}

/** Nobody can sign in to it. */
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
