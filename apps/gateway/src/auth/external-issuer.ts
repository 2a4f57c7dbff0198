import { knownScopes } from '@rubrica/process';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import type { GatewayConfig } from '../config.ts';
import type { PartnerIdentity, Verified } from './access-tokens.ts';

/** Signatures only, never a shared secret. */
const algorithms = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA'];
const discoveryTimeoutMs = 5_000;

export interface ExternalIssuer {
  readonly issuer: string;
  /** @throws Error that says why the token is refused */
  verifyPartner(token: string): Promise<Verified<PartnerIdentity>>;
}

/** An OpenID Connect issuer whose tokens are accepted as well as ours; undefined where none is configured. */
export function createExternalIssuer(oidc: GatewayConfig['oidc']): ExternalIssuer | undefined {
  const { issuer, audience, partnerClaim } = oidc;
  if (issuer === undefined || audience === undefined) return undefined;
  const keysOf = once(() => discoverKeys(issuer));
  return {
    issuer,
    async verifyPartner(token) {
      const { payload } = await jwtVerify(token, await keysOf(), {
        algorithms,
        issuer,
        audience,
        requiredClaims: ['exp'],
      });
      const partnerId = z.uuid().parse(payload[partnerClaim]);
      const clientId = z
        .string()
        .max(200)
        .parse(payload.client_id ?? payload.azp ?? payload.sub);
      const scopes = knownScopes(z.string().default('').parse(payload.scope));
      return { identity: { partnerId, clientId, scopes }, expiresAtMs: (payload.exp ?? 0) * 1000 };
    },
  };
}

/** OpenID Connect Discovery 1.0 §4; the document must name the issuer it was asked of. */
async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, {
    signal: AbortSignal.timeout(discoveryTimeoutMs),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`the issuer's configuration answered ${response.status}`);
  const document = z.object({ issuer: z.literal(issuer), jwks_uri: z.url() }).parse(await response.json());
  return createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: discoveryTimeoutMs,
    [customFetch]: (url, options) => fetch(url, { ...options, redirect: 'error' }),
  });
}

/** Keeps what succeeded; a failure is tried again by the next caller. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | undefined;
  return () => {
    kept ??= make().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}
