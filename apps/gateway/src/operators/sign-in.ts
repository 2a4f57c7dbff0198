import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { Keyring } from '@rubrica/process';
import { type AccessTokens, operatorLifetimeSeconds } from '../auth/access-tokens.ts';
import type { Peers } from '../peers/peers.ts';

export interface SignInDeps {
  readonly peers: { readonly intake: Pick<Peers['intake'], 'operators.authenticate'> };
  readonly keyring: Pick<Keyring, 'sealTo'>;
  readonly tokens: Pick<AccessTokens, 'issueToOperator'>;
}

export type SignIn = (input: OperatorInput<'auth.signIn'>) => Promise<OperatorOutput<'auth.signIn'>>;

/** Signs an operator in. The password crosses the bus sealed to intake, which alone can check it. */
export function createSignIn({ peers, keyring, tokens }: SignInDeps): SignIn {
  return async ({ email, password }) => {
    const owner = email.toLowerCase();
    const sealedPassword = await keyring.sealTo('intake', password, { purpose: 'operator-password', owner });
    const identity = await peers.intake['operators.authenticate']({ email, sealedPassword });
    return {
      accessToken: await tokens.issueToOperator(identity),
      expiresIn: operatorLifetimeSeconds,
      role: identity.role,
    };
  };
}
