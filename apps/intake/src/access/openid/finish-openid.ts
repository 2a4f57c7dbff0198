import type { OpenIdRefusal } from '@rubrica/contracts/services/schemas/openid';
import { KeyringError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import { sealSession } from '../sessions/seal-session.ts';
import { type AdmitDeps, createAdmit } from './admit.ts';
import { type Flow, openFlow } from './flow.ts';
import { judgeIdentity } from './judge-identity.ts';
import type { OpenIdDeps } from './openid-client.ts';
import { notOffered } from './start-openid.ts';
import { useFlow } from './used-flows.ts';

type FinishOpenId = UseCase<'intake', 'tokens.finishOpenId'>;
type Needs = AdmitDeps & OpenIdDeps;

/**
 * A session for the operator whom the provider has sent back with a code. The code is redeemed and the id token judged
 * here, because nobody else may say who an operator is. A flow is used up before the provider is asked: whatever becomes
 * of it, the next sign-in begins anew.
 * @throws AppError SERVICE_UNAVAILABLE, ROUTE_NOT_FOUND where there is no provider
 */
export function createFinishOpenId(deps: Needs): FinishOpenId {
  const admit = createAdmit(deps);
  return async ({ sealedFlow, sealedAnswer, ...from }, { peer }) => {
    const { openId } = deps;
    if (openId === undefined) throw notOffered();
    const answer = await openAnswer(sealedAnswer, peer, deps);
    const flow = await openFlow(sealedFlow, peer, deps);
    if (flow === undefined || answer === undefined || !(await isFirstUse(flow, answer, deps)))
      return refused('start-again');
    const redeemed = await openId.redeem(flow, answer);
    if ('refusal' in redeemed) return refused(redeemed.refusal);
    const identity = judgeIdentity(redeemed.claims, openId.provider);
    if ('refusal' in identity) return refused(identity.refusal);
    const admission = await admit(identity, from);
    if ('refusal' in admission) return refused(admission.refusal);
    const session = await sealSession(admission, { peer, sealedProof: sealedAnswer }, deps);
    return { kind: 'signed-in', email: admission.email, ...session };
  };
}

/** What is of another flow uses up none. */
async function isFirstUse(
  flow: Flow,
  answer: URLSearchParams,
  { database }: Pick<Needs, 'database'>,
): Promise<boolean> {
  return answer.get('state') === flow.state && (await useFlow(database, flow));
}

/** Bound to the door that was come back to. */
async function openAnswer(
  sealed: string,
  owner: string,
  { keyring }: Pick<Needs, 'keyring'>,
): Promise<URLSearchParams | undefined> {
  try {
    return new URLSearchParams(await keyring.openText(sealed, { purpose: 'openid-answer', owner }));
  } catch (error) {
    if (error instanceof KeyringError) return undefined;
    throw error;
  }
}

function refused(reason: OpenIdRefusal) {
  return { kind: 'refused', reason } as const;
}
