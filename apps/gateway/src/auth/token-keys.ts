import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, importJWK, type JWK, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

/** The one algorithm of our tokens; a token cannot choose another (RFC 8725 §3.1). */
export const tokenAlgorithm = 'ES256';

const privateJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string().min(1).max(100),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});
const keysFile = z.object({ keys: z.array(privateJwk).min(1) });

export interface TokenKeys {
  readonly kid: string;
  readonly signingKey: Exclude<Awaited<ReturnType<typeof importJWK>>, Uint8Array>;
  readonly verifying: JWTVerifyGetKey;
  /** The public halves, as served at `/.well-known/jwks.json`. */
  readonly publicJwks: { readonly keys: readonly JWK[] };
}

/**
 * Reads the keys of access tokens. To rotate: put the new key last and restart every copy, then first and
 * restart again, and take the old one out when its last token has expired.
 *
 * @throws Error that names the file and never quotes it
 */
export async function loadTokenKeys(path: string): Promise<TokenKeys> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`The token keys ${path} cannot be read`, { cause: error });
  });
  const parsed = keysFile.safeParse(parseJson(text, path));
  if (!parsed.success) {
    const places = parsed.error.issues.map((issue) => issue.path.join('.') || 'the whole').join(', ');
    throw new Error(`The token keys ${path} are not as they must be, at: ${places}`);
  }
  const { keys } = parsed.data;
  const [first] = keys;
  if (first === undefined) throw new Error(`The token keys ${path} hold no key`);
  const publicKeys = keys.map(({ d: _secret, ...key }) => ({ ...key, use: 'sig', alg: tokenAlgorithm }));
  return {
    kid: first.kid,
    signingKey: (await importJWK(first, tokenAlgorithm)) as TokenKeys['signingKey'],
    verifying: createLocalJWKSet({ keys: publicKeys }),
    publicJwks: { keys: publicKeys },
  };
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without the cause: the parser's message quotes the file.
    throw new Error(`The token keys ${path} are not JSON`);
  }
}
