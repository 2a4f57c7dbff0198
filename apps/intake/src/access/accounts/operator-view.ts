import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { AppError } from '@rubrica/process';
import type { AccessDeps } from '../deps.ts';
import { InvitationEntity } from '../invitations/invitation.entity.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { OperatorIdentityEntity } from '../operators/operator-identity.entity.ts';

export type OperatorView = OperatorOutput<'operators.list'>['items'][number];

/** Operators as administrators see them: nothing of a password, nor of a link's token. */
export async function viewOperators(
  em: EntityManager,
  operators: readonly Operator[],
): Promise<OperatorView[]> {
  const ofThese = { operatorId: { $in: operators.map(({ id }) => id) } };
  const invitations = await em.find(InvitationEntity, ofThese);
  const identities = await em.find(OperatorIdentityEntity, ofThese);
  const links = new Map(invitations.map((invitation) => [invitation.operatorId, invitation]));
  const ofProvider = new Set(identities.map(({ operatorId }) => operatorId));
  return operators.map(({ id, email, role, enabled, createdAt }) => {
    const link = links.get(id);
    return {
      ...{ operatorId: id, email, role, enabled },
      createdAt: createdAt.toISOString(),
      signsInAt: ofProvider.has(id) ? 'organisation' : 'here',
      invitation: link ? { kind: link.kind, expiresAt: link.expiresAt.toISOString() } : null,
    };
  });
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function viewOperator(
  { database, rows }: Pick<AccessDeps, 'database' | 'rows'>,
  id: string,
): Promise<OperatorView> {
  const em = rows.forShowing(database.fork());
  const operator = await em.findOne(OperatorEntity, { id });
  const [view] = operator ? await viewOperators(em, [operator]) : [];
  if (!view) throw operatorNotFound();
  return view;
}

export function operatorNotFound(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND', text: createText('operator.notFound') });
}
