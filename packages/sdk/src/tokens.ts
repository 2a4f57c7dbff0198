import { type Assertion, signAssertion } from './assertion.ts';
import { RubricaError } from './errors.ts';
import { exchange, type Fetch } from './transport/exchange.ts';
import { readError } from './transport/read-error.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly proof: ClientProof;
  /** Space-separated; all scopes of the client when absent. */
  readonly scope?: string | undefined;
}

/** By a secret that is sent, or by a key that signs and stays. */
export type ClientProof = { readonly clientSecret: string } | SigningProof;

export interface SigningProof extends Pick<Assertion, 'privateKey' | 'keyId'> {
  readonly audience?: string | undefined;
}

export interface Tokens {
  /** A token that is good for a while; callers at the same time share one call for it. */
  current(): Promise<string>;
  /** Whether asking again may give another one after this one was refused. */
  refused(token: string): boolean;
}

/** A static token, `rbk_…`: there is no other one. */
export function staticToken(apiToken: string): Tokens {
  return { current: async () => apiToken, refused: () => false };
}

export interface TokenDeps {
  readonly fetch: Fetch;
  readonly url: URL;
  readonly timeoutMs: number;
  readonly now: () => number;
}

interface Token {
  readonly text: string;
  readonly renewAtMs: number;
}

/** Access tokens by OAuth 2.0 client credentials (RFC 6749 §4.4), kept until shortly before they end. */
export function clientTokens(credentials: ClientCredentials, deps: TokenDeps): Tokens {
  let kept: Token | undefined;
  let coming: Promise<Token> | undefined;
  const renew = () => {
    // Not bound to the signal of the caller that happened to be first: others wait for it too.
    coming ??= fetchToken(credentials, deps)
      .then((token) => {
        kept = token;
        return token;
      })
      .finally(() => {
        coming = undefined;
      });
    return coming;
  };
  return {
    async current() {
      if (kept !== undefined && deps.now() < kept.renewAtMs) return kept.text;
      return (await renew()).text;
    },
    refused(token) {
      if (kept?.text === token) kept = undefined;
      return true;
    },
  };
}

/** A token that ends while a large body is on its way would be refused: renewed a minute early, or a tenth of its life. */
const marginMs = 60_000;

/** Asked once: whoever needs it repeats it as a part of its own call, with its own patience. */
async function fetchToken(credentials: ClientCredentials, deps: TokenDeps): Promise<Token> {
  const answer = await askForToken(credentials, deps);
  const { access_token: text, expires_in: seconds } = (answer.body ?? {}) as Record<string, unknown>;
  if (typeof text !== 'string' || typeof seconds !== 'number') {
    throw new RubricaError({ message: 'the service answered no token', code: 'UNEXPECTED_ANSWER' });
  }
  const lifeMs = seconds * 1_000;
  return { text, renewAtMs: deps.now() + lifeMs - Math.min(marginMs, lifeMs / 10) };
}

/** RFC 7523 §2.2. */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** An assertion is signed for each call: the service takes none twice. */
async function proofOf(
  { clientId, proof }: ClientCredentials,
  { url, now }: TokenDeps,
): Promise<Record<string, string>> {
  if ('clientSecret' in proof) return { client_secret: proof.clientSecret };
  const { privateKey, keyId, audience = url.href } = proof;
  const assertion = await signAssertion({ clientId, privateKey, keyId, audience, now: now() });
  return { client_assertion_type: assertionType, client_assertion: assertion };
}

async function askForToken(credentials: ClientCredentials, deps: TokenDeps) {
  const { clientId, scope } = credentials;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    ...(await proofOf(credentials, deps)),
    ...(scope === undefined ? {} : { scope }),
  });
  const request = {
    method: 'POST',
    url: deps.url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
    timeoutMs: deps.timeoutMs,
  };
  try {
    const answer = await exchange(deps.fetch, request);
    if (answer.status === 200) return answer;
    throw readError(answer);
  } catch (error) {
    throw error instanceof RubricaError ? asNotSent(error) : error;
  }
}

/** Whatever became of the call for a token, the call that needed it has not been made. */
function asNotSent({ message, code, status, messages, errors, traceId, retryAfterMs, cause }: RubricaError) {
  return new RubricaError({ message, code, status, messages, errors, traceId, retryAfterMs, cause });
}
