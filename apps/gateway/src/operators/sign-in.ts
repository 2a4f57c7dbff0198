import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { type Keyring, toAppError } from '@rubrica/process';
import { type AccessTokens, operatorLifetimeSeconds } from '../auth/access-tokens.ts';
import { gatewayItself, type Peers } from '../peers/clients.ts';

export interface SignInDeps {
  readonly peers: Pick<Peers, 'as'> & { intake: Pick<Peers['intake'], 'operators'> };
  readonly keyring: Pick<Keyring, 'sealTo'>;
  readonly tokens: Pick<AccessTokens, 'issueToOperator'>;
}

export type SignIn = (input: OperatorInput<'auth.signIn'>) => Promise<OperatorOutput<'auth.signIn'>>;

/** Signs an operator in. The password crosses the bus sealed to intake, which alone can check it. */
export function createSignIn({ peers, keyring, tokens }: SignInDeps): SignIn {
  return async ({ email, password }) => {
    const sealedPassword = await keyring.sealTo('intake', password);
    const identity = await peers.intake.operators.authenticate
      .mutate({ email, sealedPassword }, peers.as(gatewayItself))
      .catch((error: unknown) => {
        throw toAppError(error);
      });
    return {
      accessToken: await tokens.issueToOperator(identity),
      expiresIn: operatorLifetimeSeconds,
      role: identity.role,
    };
  };
}
