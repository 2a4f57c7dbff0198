import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import type { AccessDeps } from '../deps.ts';
import { organisationMaker } from '../operators/makers.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { OperatorIdentityEntity } from '../operators/operator-identity.entity.ts';
import type { Identity } from './judge-identity.ts';

/** Hash that no password has. */
const noPassword = '';

/** Creates the operator of a first sign-in, in the caller's transaction. */
export async function createProviderOperator(
  em: EntityManager,
  { issuer, subject, email, role }: Identity & { readonly role: OperatorRole },
  { clock, newId }: Pick<AccessDeps, 'clock' | 'newId'>,
): Promise<Operator> {
  const id = newId();
  const createdAt = clock();
  const operator = em.create(OperatorEntity, {
    id,
    email,
    passwordHash: noPassword,
    role,
    enabled: true,
    gen: 1,
    madeBy: [{ operatorId: organisationMaker, at: createdAt.toISOString(), action: 'invite' }],
    createdAt,
  });
  await em.flush();
  em.create(OperatorIdentityEntity, { id: newId(), operatorId: id, issuer, subject, createdAt });
  await em.flush();
  await recordAudit(em, {
    actor: `${organisationMaker}:${issuer}`,
    action: 'operators.create',
    target: `operator:${id}`,
    details: { email, role, subject },
  });
  return operator;
}
