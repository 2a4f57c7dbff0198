import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { SessionMethod } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process';
import { OperatorIdentityEntity } from './operator-identity.entity.ts';

/** Break-glass is for the day when the provider is down, and takes the rights of the schema's owner. */
const ownDoors: ReadonlySet<SessionMethod> = new Set(['oidc', 'breakGlass']);

/**
 * Who is an operator by the organisation's word has that door alone: by any other he would come in after he has left.
 * @throws AppError UNAUTHENTICATED
 */
export async function assertOwnDoor(
  em: EntityManager,
  { operatorId, method }: { readonly operatorId: string; readonly method: SessionMethod },
): Promise<void> {
  if (ownDoors.has(method) || !(await isOfProvider(em, operatorId))) return;
  throw new AppError({
    code: 'UNAUTHENTICATED',
    text: createText('operator.organisationSignIn'),
  });
}

/** @throws AppError REQUEST_STATE_NOT_ALLOWED where the factors are the provider's */
export async function assertOwnFactors(em: EntityManager, operatorId: string): Promise<void> {
  if (!(await isOfProvider(em, operatorId))) return;
  throw new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('operator.organisationFactors'),
  });
}

async function isOfProvider(em: EntityManager, operatorId: string): Promise<boolean> {
  return (await em.count(OperatorIdentityEntity, { operatorId })) > 0;
}
