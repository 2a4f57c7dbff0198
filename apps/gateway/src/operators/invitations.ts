import { createHash } from 'node:crypto';
import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import type { PasswordScreen } from '@rubrica/password-screen/password-screen';
import type { Keyring } from '@rubrica/process/keyring';
import type { Peers } from '../peers/peers.ts';
import { openSession } from './open-session.ts';
import { assertStrong } from './screen-password.ts';

export type InvitationPeers = Pick<Peers['intake'], 'invitations.read' | 'invitations.accept'>;

/** Origin of a call, for intake. */
type CameFrom = Omit<Parameters<InvitationPeers['invitations.read']>[0], 'sealedToken'>;

interface InvitationDeps {
  readonly peers: { readonly intake: InvitationPeers };
  readonly keyring: Pick<Keyring, 'sealTo' | 'openText'>;
  readonly passwords: Pick<PasswordScreen, 'weaknessOf'>;
}

/** Creates the procedures of an invitation link. Its token and the chosen password cross the bus sealed to intake. */
export function createInvitations({ peers, keyring, passwords }: InvitationDeps) {
  const sealToken = (token: string) =>
    keyring.sealTo('intake', token, { purpose: 'entered-invitation', owner: 'gateway' });
  return {
    async 'auth.readInvitation'({ token }: OperatorInput<'auth.readInvitation'>, from: CameFrom) {
      return peers.intake['invitations.read']({ sealedToken: await sealToken(token), ...from });
    },
    async 'auth.acceptInvitation'(
      { token, password }: OperatorInput<'auth.acceptInvitation'>,
      from: CameFrom,
    ) {
      const sealedToken = await sealToken(token);
      const owner = createHash('sha256').update(token).digest('hex');
      if (password !== undefined) {
        const { email } = await peers.intake['invitations.read']({ sealedToken, ...from });
        await assertStrong({ owner: `invitation ${owner}`, field: 'password', password, email }, passwords);
      }
      const sealedPassword =
        password === undefined
          ? undefined
          : await keyring.sealTo('intake', password, { purpose: 'chosen-password', owner });
      const session = await peers.intake['invitations.accept']({ sealedToken, sealedPassword, ...from });
      return openSession(session, sealedToken, keyring);
    },
  };
}
