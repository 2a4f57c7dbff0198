import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import { passkeyAssertion } from '@rubrica/contracts/shared/webauthn';
import { KeyringError } from '@rubrica/process/keyring';
import type { z } from 'zod';
import type { AccessDeps } from '../deps.ts';
import type { OperatorFactor } from '../factors/factor.entity.ts';
import type { PasskeyDeps } from './passkey-settings.ts';
import { toUserHandle } from './user-handle.ts';
import { loadWebAuthn } from './web-authn.ts';

export type Assertion = z.output<typeof passkeyAssertion>;

/** @returns undefined if the content is no assertion, or was sealed for another use */
export async function openAssertion(
  sealed: string,
  binding: SealBinding,
  { keyring }: Pick<AccessDeps, 'keyring'>,
): Promise<Assertion | undefined> {
  try {
    return passkeyAssertion.safeParse(JSON.parse(await keyring.openText(sealed, binding))).data;
  } catch (cause) {
    if (cause instanceof KeyringError || cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

interface SignedChallenge {
  readonly assertion: Assertion;
  /** Challenge that it had to sign. */
  readonly challenge: string;
}

/**
 * Verifies an assertion.
 * @returns the authenticator's counter; undefined if the signature, its origin or the counter is wrong
 */
export async function verifyAssertion(
  { operatorId, credentialId, publicKey, counter }: OperatorFactor,
  { assertion, challenge }: SignedChallenge,
  { relyingParty }: PasskeyDeps,
): Promise<number | undefined> {
  const { userHandle } = assertion.response;
  if (userHandle != null && userHandle !== toUserHandle(operatorId)) return undefined;
  try {
    const { verifyAuthenticationResponse } = await loadWebAuthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} } as never,
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.rpId,
      credential: {
        id: credentialId ?? '',
        publicKey: new Uint8Array(Buffer.from(publicKey ?? '', 'base64url')),
        counter,
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws an error with the reason, which is not passed on.
    return undefined;
  }
}
