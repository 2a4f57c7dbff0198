import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { newSession } from '@rubrica/contracts/services/schemas/tokens';
import { newTokenBinding } from '@rubrica/process/tokens';
import type { z } from 'zod';
import type { RunningIntake } from './running-intake.ts';

type Sealed = z.output<typeof newSession>;
export type SignedIn = OperatorOutput<'auth.refresh'>;

const gateway = { kind: 'service', name: 'gateway' } as const;

/** What the gateway gets of an answer to the proof that it has sent. */
export async function opened({ ground }: RunningIntake, proof: string, made: Sealed): Promise<SignedIn> {
  const { keyring } = await ground.peer('gateway');
  const { sealedAccessToken, sealedRefreshToken, expiresInSeconds: expiresIn, role, scope } = made;
  const accessToken = await keyring.openText(sealedAccessToken, newTokenBinding(proof));
  const refreshToken = await keyring.openText(
    sealedRefreshToken,
    newTokenBinding(proof, 'new-refresh-token'),
  );
  return { accessToken, expiresIn, refreshToken, role, scope };
}

class Challenged extends Error {
  constructor(challenge: string) {
    super(`challenge ${challenge}`);
  }
}

/** Signs an operator in as the gateway does for a person. */
export async function signIn(
  intake: RunningIntake,
  {
    email = 'admin@example.com',
    password = 'correct horse battery',
    userAgent = 'test',
    code = '',
    address = '198.51.100.7',
  } = {},
): Promise<SignedIn> {
  const { keyring } = await intake.ground.peer('gateway');
  const proof = await keyring.sealTo('intake', password, { purpose: 'operator-password', owner: email });
  const sealedCode = await keyring.sealTo('intake', code, { purpose: 'operator-code', owner: email });
  const shown = { email, sealedPassword: proof, ...(code === '' ? {} : { sealedCode }) };
  const input = { ...shown, address, userAgent };
  const made = await intake.client(gateway).tokens.signIn.mutate(input);
  if ('challenge' in made) throw new Challenged(made.challenge);
  return opened(intake, proof, made);
}

export async function refresh(intake: RunningIntake, refreshToken: string): Promise<SignedIn> {
  const { keyring } = await intake.ground.peer('gateway');
  const binding = { purpose: 'entered-refresh-token', owner: 'gateway' } as const;
  const proof = await keyring.sealTo('intake', refreshToken, binding);
  const input = { sealedRefreshToken: proof, address: '198.51.100.7' };
  return opened(intake, proof, await intake.client(gateway).tokens.refresh.mutate(input));
}

/** The headers of a call that the gateway makes for who shows this access token. */
export async function showing(intake: RunningIntake, { accessToken }: Pick<SignedIn, 'accessToken'>) {
  const { keyring } = await intake.ground.peer('gateway');
  const sealed = await keyring.sealTo('intake', accessToken, { purpose: 'door-token', owner: 'gateway' });
  return { context: { headers: { authorization: `Bearer ${sealed}` } } };
}

/** The present password of an operator, as the gateway sends it with a change of what one signs in by. */
export async function provenBy(
  intake: RunningIntake,
  operatorId: string,
  password = 'correct horse battery',
): Promise<{ readonly currentPassword: string }> {
  const { keyring } = await intake.ground.peer('gateway');
  const binding = { purpose: 'account-password', owner: operatorId } as const;
  return { currentPassword: await keyring.sealTo('intake', password, binding) };
}

/** `answered`, or the catalogue's code. */
export function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'answered',
    (error: Error & { data?: { appCode?: string } }) => error.data?.appCode ?? error.message,
  );
}
