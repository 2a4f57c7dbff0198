import type { OperatorRole, Scope } from '@rubrica/contracts/shared/enumerations';
import { type AccessTokenVerifierDeps, createAccessTokenVerifier } from '@rubrica/process';
import type { DoorTokens } from './door-tokens.ts';

export interface PartnerIdentity {
  readonly partnerId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** The token, sealed to intake: what its calls carry. */
  readonly sealedToken: string;
}
export interface OperatorIdentity {
  readonly operatorId: string;
  readonly email: string;
  readonly role: OperatorRole;
  readonly sealedToken: string;
}

/** Whose token it is, and until when. */
export interface Verified<Identity> {
  readonly identity: Identity;
  readonly expiresAtMs: number;
}

export interface AccessTokens {
  /** @throws Error that says why the token is refused; not to be shown to the caller */
  verifyPartner(token: string): Promise<Verified<PartnerIdentity>>;
  verifyOperator(token: string): Promise<Verified<OperatorIdentity>>;
}

/** Access tokens as they come to the door. Intake signs them; here are its public keys only. */
export function createAccessTokens({
  doorTokens,
  ...deps
}: AccessTokenVerifierDeps & { readonly doorTokens: Pick<DoorTokens, 'seal'> }): AccessTokens {
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
