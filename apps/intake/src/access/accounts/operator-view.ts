import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { AppError } from '@rubrica/process/errors';
import type { AccessDeps } from '../deps.ts';
import { InvitationEntity } from '../invitations/invitation.entity.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { OperatorIdentityEntity } from '../operators/operator-identity.entity.ts';

export type OperatorView = OperatorOutput<'operators.list'>['items'][number];

/** Converts operators to the view of administrators, without anything of a password or of a link's token. */
export async function viewOperators(
  em: EntityManager,
  operators: readonly Operator[],
): Promise<OperatorView[]> {
  const filter = { operatorId: { $in: operators.map(({ id }) => id) } };
  const invitations = await em.find(InvitationEntity, filter);
  const identities = await em.find(OperatorIdentityEntity, filter);
  const links = new Map(invitations.map((invitation) => [invitation.operatorId, invitation]));
  const fromProvider = new Set(identities.map(({ operatorId }) => operatorId));
  return operators.map(({ id, email, role, enabled, createdAt }) => {
    const link = links.get(id);
    return {
      ...{ operatorId: id, email, role, enabled },
      createdAt: createdAt.toISOString(),
      signsInAt: fromProvider.has(id) ? 'organisation' : 'here',
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
