import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { SessionMethod } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { OperatorIdentityEntity } from './operator-identity.entity.ts';

/**
 * Methods allowed to operators of the provider. Break-glass is for the day when the provider is down, and
 * needs the rights of the schema's owner.
 */
const allowedMethods: ReadonlySet<SessionMethod> = new Set(['oidc', 'breakGlass']);

/**
 * Refuses other ways of signing in for an operator of the organisation's provider: by any other, a person
 * would come in after leaving the organisation.
 * @throws AppError UNAUTHENTICATED
 */
export async function assertMethodAllowed(
  em: EntityManager,
  { operatorId, method }: { readonly operatorId: string; readonly method: SessionMethod },
): Promise<void> {
  if (allowedMethods.has(method) || !(await isFromProvider(em, operatorId))) return;
  throw new AppError({
    code: 'UNAUTHENTICATED',
    text: createText('operator.organisationSignIn'),
  });
}

/** @throws AppError REQUEST_STATE_NOT_ALLOWED if the provider manages the factors */
export async function assertOwnFactors(em: EntityManager, operatorId: string): Promise<void> {
  if (!(await isFromProvider(em, operatorId))) return;
  throw new AppError({
    code: 'REQUEST_STATE_NOT_ALLOWED',
    text: createText('operator.organisationFactors'),
  });
}

async function isFromProvider(em: EntityManager, operatorId: string): Promise<boolean> {
  return (await em.count(OperatorIdentityEntity, { operatorId })) > 0;
}
