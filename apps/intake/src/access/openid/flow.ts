import { idSchema } from '@rubrica/contracts/shared/fields';
import { type Keyring, KeyringError } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';
import { calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { z } from 'zod';

/** Sign-in that was started, with the values that the provider's answer must match. */
export type Flow = z.output<typeof flowSchema>;

const flowSchema = z.object({
  id: idSchema,
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Seconds since 1970. */
  exp: z.number(),
});

const lifeSeconds = 10 * 60;
const type = 'rubrica-openid-flow+jwt';

export interface FlowDeps {
  readonly keyring: Pick<Keyring, 'sealTo' | 'openText' | 'signStatement' | 'verifyStatement'>;
  readonly tokenClock: Clock;
  readonly newId: () => string;
}

export function startFlow({ newId, tokenClock }: Pick<FlowDeps, 'newId' | 'tokenClock'>): Flow {
  const exp = Math.floor(tokenClock().getTime() / 1000) + lifeSeconds;
  const verifier = randomPKCECodeVerifier();
  return { id: newId(), state: randomState(), nonce: randomNonce(), verifier, exp };
}

/** Returns the parameters of the flow that the provider receives. */
export async function toAuthorizationParams({
  state,
  nonce,
  verifier,
}: Flow): Promise<Record<string, string>> {
  return {
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
}

/**
 * Seals a flow for the browser to keep. It is sealed to intake, so that neither browser nor gateway sees
 * nonce and verifier. It is signed too, because anyone can seal to intake.
 */
export function sealFlow(flow: Flow, owner: string, { keyring }: FlowDeps): Promise<string> {
  return keyring.sealTo('intake', keyring.signStatement(type, flow), { purpose: 'openid-flow', owner });
}

/** @returns undefined if the flow is not ours, was started at another service, or too long ago */
export async function openFlow(
  sealed: string,
  owner: string,
  { keyring, tokenClock }: FlowDeps,
): Promise<Flow | undefined> {
  try {
    const statement = await keyring.openText(sealed, { purpose: 'openid-flow', owner });
    const { claims } = keyring.verifyStatement(statement, { type, issuer: 'intake' });
    const flow = flowSchema.parse(claims);
    return flow.exp > tokenClock().getTime() / 1000 ? flow : undefined;
  } catch (error) {
    if (error instanceof KeyringError) return undefined;
    throw error;
  }
}
