import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { type Keyring, newTokenBinding } from '@rubrica/process';
import type { Peers } from '../peers/peers.ts';

export interface SignInDeps {
  readonly peers: { readonly intake: Pick<Peers['intake'], 'tokens.signIn'> };
  readonly keyring: Pick<Keyring, 'sealTo' | 'openText'>;
}

/** @param address what the sign-in comes from, as addresses are counted */
export type SignIn = (
  input: OperatorInput<'auth.signIn'>,
  address: string,
) => Promise<OperatorOutput<'auth.signIn'>>;

/** Signs an operator in. The password crosses the bus sealed to intake, which alone can check it and sign a token. */
export function createSignIn({ peers, keyring }: SignInDeps): SignIn {
  return async ({ email, password }, address) => {
    const owner = email.toLowerCase();
    const sealedPassword = await keyring.sealTo('intake', password, { purpose: 'operator-password', owner });
    const made = await peers.intake['tokens.signIn']({ email, sealedPassword, address });
    const accessToken = await keyring.openText(made.sealedAccessToken, newTokenBinding(sealedPassword));
    return { accessToken, expiresIn: made.expiresInSeconds, role: made.role };
  };
}
