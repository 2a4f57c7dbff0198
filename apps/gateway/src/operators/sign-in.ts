import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { PasswordScreen } from '@rubrica/password-screen/password-screen';
import type { Keyring } from '@rubrica/process/keyring';
import type { Peers } from '../peers/peers.ts';
import { createInvitations, type InvitationPeers } from './invitations.ts';
import { openSession } from './open-session.ts';

type TokenCall = 'tokens.signIn' | 'tokens.refresh' | 'tokens.passkeyOptions' | 'tokens.passkeySignIn';

export interface SignInDeps {
  readonly peers: {
    readonly intake: Pick<Peers['intake'], TokenCall> & InvitationPeers;
  };
  readonly keyring: Pick<Keyring, 'sealTo' | 'openText'>;
  readonly passwords: Pick<PasswordScreen, 'weaknessOf'>;
}

/** Origin of an operator's call: the network that is counted, and the browser's user agent. */
export interface CallOrigin {
  readonly address: string;
  readonly userAgent: string;
}

type PublicPath =
  | 'auth.signIn'
  | 'auth.passkeyOptions'
  | 'auth.passkeySignIn'
  | 'auth.refresh'
  | 'auth.readInvitation'
  | 'auth.acceptInvitation';

/** Procedures for callers who are not signed in, answered here. */
export type SignInProcedures = {
  readonly [Path in PublicPath]: (
    input: OperatorInput<Path>,
    from: CallOrigin,
  ) => Promise<OperatorOutput<Path>>;
};

/**
 * Creates the sign-in procedures. Proofs cross the bus sealed to intake, which alone can verify them and sign a token.
 */
export function createSignIn({ peers, keyring, passwords }: SignInDeps): SignInProcedures {
  return {
    async 'auth.signIn'({ email, password, code }, from) {
      const owner = email.toLowerCase();
      const sealedPassword = await keyring.sealTo('intake', password, {
        purpose: 'operator-password',
        owner,
      });
      const sealedCode =
        code === undefined
          ? {}
          : { sealedCode: await keyring.sealTo('intake', code, createCodeBinding(owner)) };
      const session = await peers.intake['tokens.signIn']({ email, sealedPassword, ...sealedCode, ...from });
      return 'challenge' in session ? session : openSession(session, sealedPassword, keyring);
    },
    async 'auth.passkeyOptions'() {
      const { challenge, rpId, timeoutMs: timeout } = await peers.intake['tokens.passkeyOptions']({});
      return { options: { challenge, rpId, timeout, userVerification: 'required' } };
    },
    async 'auth.passkeySignIn'({ response }, from) {
      const binding = { purpose: 'passkey-response', owner: 'gateway' } as const;
      const sealedResponse = await keyring.sealTo('intake', JSON.stringify(response), binding);
      const session = await peers.intake['tokens.passkeySignIn']({ sealedResponse, ...from });
      return openSession(session, sealedResponse, keyring);
    },
    async 'auth.refresh'({ refreshToken }, from) {
      const binding = { purpose: 'entered-refresh-token', owner: 'gateway' } as const;
      const sealedRefreshToken = await keyring.sealTo('intake', refreshToken, binding);
      const session = await peers.intake['tokens.refresh']({ sealedRefreshToken, ...from });
      return openSession(session, sealedRefreshToken, keyring);
    },
    ...createInvitations({ peers, keyring, passwords }),
  };
}

function createCodeBinding(owner: string) {
  return { purpose: 'operator-code', owner } as const;
}
