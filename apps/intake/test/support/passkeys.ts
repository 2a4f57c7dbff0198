import { softwareAuthenticator } from '@rubrica/testkit/software-authenticator';
import { opened, provenBy, type SignedIn, showing, signIn } from './operator-session.ts';
import type { RunningIntake } from './running-intake.ts';

const gateway = { kind: 'service', name: 'gateway' } as const;

/** Signs in by what a passkey has signed. */
export async function signInByPasskey(intake: RunningIntake, response: object): Promise<SignedIn> {
  const { keyring } = await intake.ground.peer('gateway');
  const binding = { purpose: 'passkey-response', owner: 'gateway' } as const;
  const proof = await keyring.sealTo('intake', JSON.stringify(response), binding);
  const input = { sealedResponse: proof, address: '198.51.100.7' };
  return opened(intake, proof, await intake.client(gateway).tokens.passkeySignIn.mutate(input));
}

export async function passkeyChallenge(intake: RunningIntake): Promise<string> {
  return (await intake.client(gateway).tokens.passkeyOptions.mutate({})).challenge;
}

interface Owner {
  readonly email: string;
  readonly password: string;
  /** Of the console. */
  readonly origin: string;
}

/** A passkey of an operator who has signed in by password. */
export async function enrolledPasskey(intake: RunningIntake, who: Owner) {
  const shown = await showing(intake, await signIn(intake, who));
  const { enrolPasskey } = intake.operators(gateway).auth;
  const [operator] = await intake.query<{ id: string }>('select id from intake.operator where email = $1', [
    who.email,
  ]);
  const proof = await provenBy(intake, operator?.id ?? '', who.password);
  const begun = await enrolPasskey.mutate(proof, shown);
  if (!('options' in begun)) throw new Error('no options were made');
  const authenticator = softwareAuthenticator(who.origin);
  await enrolPasskey.mutate({ ...proof, response: authenticator.create(begun.options) }, shown);
  return authenticator;
}
