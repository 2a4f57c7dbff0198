import type { OperatorRole, Scope } from '@rubrica/contracts/shared/enumerations';
import { type AccessTokenVerifierDeps, createAccessTokenVerifier } from '@rubrica/process/tokens';
import type { SealedAccessTokens } from './sealed-access-tokens.ts';

export interface PartnerIdentity {
  readonly partnerId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** Token sealed to intake, sent with its calls. */
  readonly sealedToken: string;
}
export interface OperatorIdentity {
  readonly operatorId: string;
  readonly email: string;
  readonly role: OperatorRole;
  readonly sealedToken: string;
}

/** Identity of a verified token, with its expiry. */
export interface VerifiedToken<Identity> {
  readonly identity: Identity;
  readonly expiresAtMs: number;
}

export interface AccessTokens {
  /**
   * Verifies a partner's token.
   * @throws Error with the reason of the refusal, not for the caller
   */
  verifyPartner(token: string): Promise<VerifiedToken<PartnerIdentity>>;
  verifyOperator(token: string): Promise<VerifiedToken<OperatorIdentity>>;
}

/** Creates the verifier of access tokens from requests. Intake signs them; the gateway has only its public keys. */
export function createAccessTokens({
  doorTokens,
  ...deps
}: AccessTokenVerifierDeps & { readonly doorTokens: Pick<SealedAccessTokens, 'seal'> }): AccessTokens {
  const verify = createAccessTokenVerifier(deps);
  return {
    async verifyPartner(token) {
      const { caller, expiresAtMs } = verify(token);
      if (caller.kind !== 'partner') throw new Error('this is the token of an operator');
      return { identity: { ...caller, sealedToken: await doorTokens.seal(token) }, expiresAtMs };
    },
    async verifyOperator(token) {
      const { caller, expiresAtMs } = verify(token);
      if (caller.kind !== 'operator') throw new Error('this is the token of a partner');
      return { identity: { ...caller, sealedToken: await doorTokens.seal(token) }, expiresAtMs };
    },
  };
}
