import { type Assertion, signAssertion } from './assertion.ts';
import { RubricaError } from './errors.ts';
import { exchange, type Fetch } from './transport/exchange.ts';
import { readError } from './transport/read-error.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly proof: ClientProof;
  /** Space-separated scopes; default: all scopes of the client. */
  readonly scope?: string | undefined;
}

/** Authentication by a secret that is sent, or by a key that signs and is never sent. */
export type ClientProof = { readonly clientSecret: string } | SigningProof;

export interface SigningProof extends Pick<Assertion, 'privateKey' | 'keyId'> {
  readonly audience?: string | undefined;
}

export interface Tokens {
  /** Returns a token that is valid for a while; simultaneous callers share one call for it. */
  current(): Promise<string>;
  /** Tells whether another request may return a new token after this one was refused. */
  refused(token: string): boolean;
}

/** Wraps a static token, `rbk_…`, which cannot be replaced by another. */
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

/** Creates access tokens by OAuth 2.0 client credentials (RFC 6749 §4.4), cached until shortly before they end. */
export function clientTokens(credentials: ClientCredentials, deps: TokenDeps): Tokens {
  let cached: Token | undefined;
  let pending: Promise<Token> | undefined;
  const renew = () => {
    // Not bound to the signal of the first caller: others wait for it too.
    pending ??= fetchToken(credentials, deps)
      .then((token) => {
        cached = token;
        return token;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  return {
    async current() {
      if (cached !== undefined && deps.now() < cached.renewAtMs) return cached.text;
      return (await renew()).text;
    },
    refused(token) {
      if (cached?.text === token) cached = undefined;
      return true;
    },
  };
}

/**
 * Time before its end at which a token is renewed: a minute, or a tenth of its life. A token that ends during the
 * upload of a large body would be refused.
 */
const marginMs = 60_000;

/** Fetches a token once: the caller repeats it as a part of its own call, with its own limits. */
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

/** Creates the proof of a call for a token. Each gets its own assertion, because the service accepts none twice. */
async function createProof(
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
    ...(await createProof(credentials, deps)),
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
    throw error instanceof RubricaError ? toNotSent(error) : error;
  }
}

/** Converts the failure of a call for a token: the call that needed it has not been made. */
function toNotSent({ message, code, status, messages, errors, traceId, retryAfterMs, cause }: RubricaError) {
  return new RubricaError({ message, code, status, messages, errors, traceId, retryAfterMs, cause });
}
