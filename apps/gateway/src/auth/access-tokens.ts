import {
  type OperatorRole,
  operatorRoleSchema,
  type Scope,
  scopeSchema,
} from '@rubrica/contracts/shared/enumerations';
import { type Clock, uuidv7 } from '@rubrica/process';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { type TokenKeys, tokenAlgorithm } from './token-keys.ts';

/** RFC 9068 §2.1: keeps an access token from passing for any other kind of JWT. */
const tokenType = 'at+jwt';

export interface PartnerIdentity {
  readonly partnerId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
}
export interface OperatorIdentity {
  readonly operatorId: string;
  readonly email: string;
  readonly role: OperatorRole;
}

/** Whose token it is, and until when. */
export interface Verified<Identity> {
  readonly identity: Identity;
  readonly expiresAtMs: number;
}

export interface AccessTokens {
  issueToPartner(identity: PartnerIdentity): Promise<string>;
  issueToOperator(identity: OperatorIdentity): Promise<string>;
  /** @throws Error that says why the token is refused; not to be shown to the caller */
  verifyPartner(token: string): Promise<Verified<PartnerIdentity>>;
  verifyOperator(token: string): Promise<Verified<OperatorIdentity>>;
}

const partnerClaims = z.object({ client_id: z.string(), partner_id: z.uuid(), scope: z.string() });
const operatorClaims = z.object({ sub: z.uuid(), email: z.string(), role: operatorRoleSchema });

export interface AccessTokenDeps {
  readonly keys: TokenKeys;
  /** Our base address: issuer of all tokens, audience of partners'. */
  readonly issuer: string;
  readonly lifetimeSeconds: number;
  readonly clock: Clock;
}

export const operatorLifetimeSeconds = 30 * 60;

/** Signed access tokens (RFC 9068). Operators' tokens have their own audience, so neither kind is accepted for the other. */
export function createAccessTokens({ keys, issuer, lifetimeSeconds, clock }: AccessTokenDeps): AccessTokens {
  const operatorAudience = `${issuer}/trpc`;
  const sign = (claims: JWTPayload, audience: string, seconds: number) => {
    const now = Math.floor(clock().getTime() / 1000);
    return new SignJWT({ ...claims, iss: issuer, aud: audience, iat: now, exp: now + seconds, jti: uuidv7() })
      .setProtectedHeader({ alg: tokenAlgorithm, typ: tokenType, kid: keys.kid })
      .sign(keys.signingKey);
  };
  const verify = async <Claims extends z.ZodType>(token: string, audience: string, claims: Claims) => {
    const { payload } = await jwtVerify(token, keys.verifying, {
      algorithms: [tokenAlgorithm],
      typ: tokenType,
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub'],
      currentDate: clock(),
    });
    return { claims: claims.parse(payload), expiresAtMs: (payload.exp ?? 0) * 1000 };
  };
  return {
    issueToPartner: ({ partnerId, clientId, scopes }) =>
      sign(
        { sub: clientId, client_id: clientId, partner_id: partnerId, scope: scopes.join(' ') },
        issuer,
        lifetimeSeconds,
      ),
    issueToOperator: ({ operatorId, email, role }) =>
      sign(
        { sub: operatorId, client_id: 'dashboard', email, role },
        operatorAudience,
        operatorLifetimeSeconds,
      ),
    async verifyPartner(token) {
      const { claims, expiresAtMs } = await verify(token, issuer, partnerClaims);
      const { partner_id: partnerId, client_id: clientId } = claims;
      return { identity: { partnerId, clientId, scopes: knownScopes(claims.scope) }, expiresAtMs };
    },
    async verifyOperator(token) {
      const { claims, expiresAtMs } = await verify(token, operatorAudience, operatorClaims);
      return { identity: { operatorId: claims.sub, email: claims.email, role: claims.role }, expiresAtMs };
    },
  };
}

/** Unknown scopes, of a later release or of an external issuer, are left out. */
export function knownScopes(scope: string): Scope[] {
  return scope.split(' ').filter((text): text is Scope => scopeSchema.safeParse(text).success);
}
