import type { EntityManager } from '@mikro-orm/postgresql';
import type { SessionMethod } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process';
import { OperatorIdentityEntity } from '../openid/operator-identity.entity.ts';

/**
 * Who is an operator by the organisation's word has that door alone: by any other he would come in after he has left.
 * @throws AppError UNAUTHENTICATED
 */
export async function assertOwnDoor(
  em: EntityManager,
  { operatorId, method }: { readonly operatorId: string; readonly method: SessionMethod },
): Promise<void> {
  if (method === 'oidc' || (await em.count(OperatorIdentityEntity, { operatorId })) === 0) return;
  throw new AppError({
    code: 'UNAUTHENTICATED',
    publicMessage: 'Sign in with the account of your organisation',
  });
}
