import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import type { OpenIdRefusal } from '@rubrica/contracts/services/schemas/openid';
import { lockName } from '@rubrica/database/lock';
import type { AccessDeps } from '../deps.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';
import { OperatorIdentityEntity } from '../operators/operator-identity.entity.ts';
import {
  openSession,
  type SessionDeps,
  type SessionOrigin,
  type SessionTokens,
} from '../sessions/open-session.ts';
import { createProviderOperator } from './create-provider-operator.ts';
import { followRole } from './follow-role.ts';
import type { Identity } from './judge-identity.ts';

type Admission = (SessionTokens & Pick<Operator, 'email'>) | { readonly refusal: OpenIdRefusal };
export type Admit = (identity: Identity, from: SessionOrigin) => Promise<Admission>;
export type AdmitDeps = SessionDeps & Pick<AccessDeps, 'database'>;

/** Decision on a sign-in. A refusal is a value, so that rows written before it are committed. */
type Decision =
  | { readonly operator: Operator; readonly refusal?: undefined }
  | { readonly operator?: Operator; readonly refusal: OpenIdRefusal };

/**
 * Creates a function that opens a session for a person whom the provider vouches for. The first sign-in
 * creates the operator. The role follows the provider at each sign-in; without a role there is no session.
 */
export function createAdmit(deps: AdmitDeps): Admit {
  return (identity, from) =>
    deps.database.transaction(async (em) => {
      const decision = await decide(em, identity, deps);
      await note(em, identity, decision);
      const { operator, refusal } = decision;
      if (refusal !== undefined) return { refusal };
      const session = await openSession(em, { operator, method: 'oidc', from }, deps);
      return { ...session, email: operator.email };
    });
}

async function decide(em: EntityManager, identity: Identity, deps: AdmitDeps): Promise<Decision> {
  const { issuer, role, email } = identity;
  const operator = (await findOperator(em, identity)) ?? (await findUnderLock(em, identity));
  if (operator !== undefined) {
    if (!operator.enabled) return { operator, refusal: 'disabled' };
    await followRole(em, { operator, role, issuer }, deps);
    return role === undefined ? { operator, refusal: 'no-role' } : { operator };
  }
  if (role === undefined) return { refusal: 'no-role' };
  // Not joined to the existing operator: a party that writes addresses at the provider could impersonate
  // anybody here.
  if ((await em.count(OperatorEntity, { email })) > 0) return { refusal: 'address-taken' };
  return { operator: await createProviderOperator(em, { ...identity, role }, deps) };
}

async function findOperator(em: EntityManager, { issuer, subject }: Identity): Promise<Operator | undefined> {
  const identity = await em.findOne(OperatorIdentityEntity, { issuer, subject });
  if (!identity) return undefined;
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  return em.findOneOrFail(OperatorEntity, { id: identity.operatorId }, lock);
}

/**
 * Finds the operator again, one first sign-in at a time: two concurrent ones of the same person create one
 * operator.
 */
async function findUnderLock(em: EntityManager, identity: Identity): Promise<Operator | undefined> {
  await lockName(em, 'operator identities');
  return findOperator(em, identity);
}

async function note(em: EntityManager, identity: Identity, { operator, refusal }: Decision): Promise<void> {
  const { issuer, subject, email } = identity;
  await recordAudit(em, {
    actor: `operator:${operator?.email ?? email}`,
    action: refusal === undefined ? 'auth.signIn' : 'auth.signInRefused',
    target: operator === undefined ? `identity:${subject}` : `operator:${operator.id}`,
    details: { method: 'oidc', issuer, subject, ...(refusal === undefined ? {} : { refusal }) },
  });
}
