import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { AppError } from '@rubrica/process';
import type { IntakeDeps } from '../../context.ts';
import { type Invitation, InvitationEntity } from '../invitations/invitation.entity.ts';
import { type Operator, OperatorEntity } from '../operator.entity.ts';

export type OperatorView = OperatorOutput<'operators.list'>['items'][number];

/** An operator as administrators see it: nothing of a password, nor of a link's token. */
export function toOperatorView(
  { id, email, role, enabled, createdAt }: Operator,
  invitation: Invitation | undefined,
): OperatorView {
  return {
    operatorId: id,
    email,
    role,
    enabled,
    createdAt: createdAt.toISOString(),
    invitation: invitation ? { kind: invitation.kind, expiresAt: invitation.expiresAt.toISOString() } : null,
  };
}

/** Of operators, by their ids: the links that were sent and not used. */
export async function openInvitations(
  em: EntityManager,
  operatorIds: readonly string[],
): Promise<ReadonlyMap<string, Invitation>> {
  const found = await em.find(InvitationEntity, { operatorId: { $in: [...operatorIds] } });
  return new Map(found.map((invitation) => [invitation.operatorId, invitation]));
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function viewOperator(
  { database, rows }: Pick<IntakeDeps, 'database' | 'rows'>,
  id: string,
): Promise<OperatorView> {
  const em = rows.forShowing(database.fork());
  const operator = await em.findOne(OperatorEntity, { id });
  if (!operator) throw operatorNotFound();
  return toOperatorView(operator, (await openInvitations(em, [id])).get(id));
}

export function operatorNotFound(): AppError {
  return new AppError({ code: 'REQUEST_NOT_FOUND', publicMessage: 'There is no such operator' });
}
