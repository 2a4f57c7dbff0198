import type { OperatorRole, Scope } from '@rubrica/contracts/shared/enumerations';
import { type AccessTokenVerifierDeps, createAccessTokenVerifier } from '@rubrica/process';

export interface PartnerIdentity {
  readonly partnerId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** Which state of its rights our token was made from; intake compares it. */
  readonly gen?: number;
}
export interface OperatorIdentity {
  readonly operatorId: string;
  readonly email: string;
  readonly role: OperatorRole;
  readonly gen: number;
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
export function createAccessTokens(deps: AccessTokenVerifierDeps): AccessTokens {
  const verify = createAccessTokenVerifier(deps);
  return {
    async verifyPartner(token) {
      const { caller, gen, expiresAtMs } = verify(token);
      if (caller.kind !== 'partner') throw new Error('this is the token of an operator');
      return { identity: { ...caller, gen }, expiresAtMs };
    },
    async verifyOperator(token) {
      const { caller, gen, expiresAtMs } = verify(token);
      if (caller.kind !== 'operator') throw new Error('this is the token of a partner');
      return { identity: { ...caller, gen }, expiresAtMs };
    },
  };
}
