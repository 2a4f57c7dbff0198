import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { sealFlow, startFlow } from './flow.ts';
import type { OpenIdDeps } from './openid-client.ts';

type StartOpenIdDeps = Pick<AccessDeps, 'keyring' | 'tokenClock' | 'newId'> & OpenIdDeps;

/**
 * Starts a sign-in and stores nothing: the browser keeps what is needed at the end, so that many starts fill
 * no table.
 */
export function createStartOpenId(deps: StartOpenIdDeps): UseCase<'intake', 'tokens.startOpenId'> {
  return async (_input, { peer }) => {
    const { openId } = deps;
    if (openId === undefined) throw openIdNotOffered();
    const flow = startFlow(deps);
    const authorizationUrl = await openId.authorizationUrl(flow);
    return { authorizationUrl, sealedFlow: await sealFlow(flow, peer, deps) };
  };
}

export function openIdNotOffered(): AppError {
  return new AppError({
    code: 'ROUTE_NOT_FOUND',
    text: createText('operator.openIdOff'),
  });
}
