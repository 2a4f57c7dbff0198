import type { OpenIdRefusal } from '@rubrica/contracts/services/schemas/openid';
import { KeyringError } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import { sealSession } from '../sessions/seal-session.ts';
import { type AdmitDeps, createAdmit } from './admit.ts';
import { type Flow, openFlow } from './flow.ts';
import { judgeIdentity } from './judge-identity.ts';
import type { OpenIdDeps } from './openid-client.ts';
import { openIdNotOffered } from './start-openid.ts';
import { useFlow } from './used-flows.ts';

type FinishOpenId = UseCase<'intake', 'tokens.finishOpenId'>;
type FinishOpenIdDeps = AdmitDeps & OpenIdDeps;

/**
 * Opens a session for the operator whom the provider has sent back with a code. The code is redeemed and the
 * id token judged here, because no other service may say who an operator is. A flow is used up before the
 * provider is asked: whatever happens then, the next sign-in starts anew.
 * @throws AppError SERVICE_UNAVAILABLE, ROUTE_NOT_FOUND if there is no provider
 */
export function createFinishOpenId(deps: FinishOpenIdDeps): FinishOpenId {
  const admit = createAdmit(deps);
  return async ({ sealedFlow, sealedAnswer, ...from }, { peer }) => {
    const { openId } = deps;
    if (openId === undefined) throw openIdNotOffered();
    const answer = await openAnswer(sealedAnswer, peer, deps);
    const flow = await openFlow(sealedFlow, peer, deps);
    if (flow === undefined || answer === undefined || !(await isFirstUse(flow, answer, deps)))
      return toRefusal('start-again');
    const redeemed = await openId.redeem(flow, answer);
    if ('refusal' in redeemed) return toRefusal(redeemed.refusal);
    const identity = judgeIdentity(redeemed.claims, openId.provider);
    if ('refusal' in identity) return toRefusal(identity.refusal);
    const admission = await admit(identity, from);
    if ('refusal' in admission) return toRefusal(admission.refusal);
    const session = await sealSession(admission, { peer, sealedProof: sealedAnswer }, deps);
    return { kind: 'signed-in', email: admission.email, ...session };
  };
}

/** Uses up the flow. An answer that belongs to another flow uses up none. */
async function isFirstUse(
  flow: Flow,
  answer: URLSearchParams,
  { database }: Pick<FinishOpenIdDeps, 'database'>,
): Promise<boolean> {
  return answer.get('state') === flow.state && (await useFlow(database, flow));
}

/** Opens the answer, which is bound to the service to which the browser came back. */
async function openAnswer(
  sealed: string,
  owner: string,
  { keyring }: Pick<FinishOpenIdDeps, 'keyring'>,
): Promise<URLSearchParams | undefined> {
  try {
    return new URLSearchParams(await keyring.openText(sealed, { purpose: 'openid-answer', owner }));
  } catch (error) {
    if (error instanceof KeyringError) return undefined;
    throw error;
  }
}

function toRefusal(reason: OpenIdRefusal) {
  return { kind: 'refused', reason } as const;
}
