import type { ReadDocument } from '@rubrica/contracts/services/schemas/documents';
import { exportJWK, type generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export const issuerUrl = 'https://id.partner.example/realm';
export const audience = 'rubrica';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

/** A partner's own OpenID issuer: its documents, as the notifier would bring them, and its tokens. */
export interface OwnIssuer {
  /** By address; a document that is not there is a failure. */
  readonly documents: Map<string, () => ReadDocument | Promise<ReadDocument>>;
  /** Addresses that were asked for, in order. */
  readonly asked: string[];
  read(url: string): Promise<ReadDocument>;
  /** Publishes these keys by their ids. */
  publish(keys: Readonly<Record<string, Pair>>): Promise<void>;
}

export async function ownIssuer(): Promise<OwnIssuer> {
  const documents: OwnIssuer['documents'] = new Map();
  const asked: string[] = [];
  const serve = (url: string, value: unknown) =>
    documents.set(url, () => ({ kind: 'read', text: JSON.stringify(value) }));
  serve(`${issuerUrl}/.well-known/openid-configuration`, {
    issuer: issuerUrl,
    jwks_uri: `${issuerUrl}/keys`,
  });
  return {
    documents,
    asked,
    async read(url) {
      asked.push(url);
      return (await documents.get(url)?.()) ?? { kind: 'failed', message: 'the answer was 404' };
    },
    async publish(keys) {
      const jwks = await Promise.all(
        Object.entries(keys).map(async ([kid, { publicKey }]) => ({ ...(await exportJWK(publicKey)), kid })),
      );
      serve(`${issuerUrl}/keys`, { keys: jwks });
    },
  };
}

export interface OwnToken {
  readonly claims?: JWTPayload;
  readonly header?: Readonly<Record<string, unknown>>;
  /** What signs it. */
  readonly key: Parameters<SignJWT['sign']>[0];
  readonly nowMs: number;
  readonly lifeSeconds?: number;
}

/** A good access token of that issuer; a field that is `undefined` is left out. */
export function ownToken({ claims, header, key, nowMs, lifeSeconds = 300 }: OwnToken): Promise<string> {
  const iat = Math.floor(nowMs / 1000);
  const all = {
    ...{ iss: issuerUrl, aud: audience, sub: 'their-client', client_id: 'their-client', jti: 'one' },
    ...{ scope: 'status:read openid', iat, exp: iat + lifeSeconds },
    ...claims,
  };
  return new SignJWT(JSON.parse(JSON.stringify(all)))
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'first', ...header })
    .sign(key);
}
