import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Configuration, Provider } from 'oidc-provider';

/** Claims of the provider about a signed-in person: fields of the id token, without `sub`. */
export interface OpenIdPerson {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly roles?: readonly string[];
  /** Methods by which the person signed in there. */
  readonly amr?: readonly string[];
}

/** A real OpenID provider on this machine. */
export interface TestOpenIdProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes that return all fields of a person. */
  readonly scope: string;
  /** People by subject; may change at any time. */
  readonly people: Map<string, OpenIdPerson>;
  /** Addresses to which it may redirect browsers; extended once they are known. */
  readonly redirectUris: Set<string>;
}

const clientId = 'rubrica';
const clientSecret = 'a secret of the test, of more than 32 bytes'.replaceAll(' ', '-');
const scope = 'openid email roles';

export async function testOpenIdProvider(): Promise<TestOpenIdProvider> {
  const redirectUris = new Set<string>();
  const people: TestOpenIdProvider['people'] = new Map();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, createConfiguration(people));
  // The addresses belong to servers that start after it.
  provider.Client.prototype.redirectUriAllowed = (uri) => redirectUris.has(uri);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const isInteraction = request.url?.startsWith('/interaction/') ?? false;
    const answered = isInteraction
      ? interact(provider, people, { request, response })
      : answer(request, response);
    answered.catch(() => response.destroy());
  });
  return {
    ...{ issuer, clientId, clientSecret, scope, people, redirectUris },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createConfiguration(people: TestOpenIdProvider['people']): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' };
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: ['https://rubrica.invalid/callback'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [jwk] } as NonNullable<Configuration['jwks']>,
    cookies: { keys: ['a key of the test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    scopes: ['openid', 'email', 'roles'],
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], roles: ['roles'] },
    // As at most organisations' providers: the id token contains the fields too.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...(people.get(accountId) as object) }),
    }),
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId ?? '';
      const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId ?? '', accountId });
      grant.addOIDCScope(scope);
      await grant.save();
      return grant;
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Serves the sign-in page: a button for each person, and one that cancels. */
async function interact(
  provider: Provider,
  people: TestOpenIdProvider['people'],
  { request, response }: Exchange,
): Promise<void> {
  if (request.method !== 'POST') {
    const buttons = ['', ...people.keys()].map(
      (name) => `<button name="subject" value="${name}">${name || 'Cancel'}</button>`,
    );
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Sign in</title><form method="post">${buttons.join('')}</form>`);
    return;
  }
  const accountId = new URLSearchParams(await text(request)).get('subject') ?? '';
  const { amr = ['pwd'] } = people.get(accountId) ?? {};
  const result =
    accountId === ''
      ? { error: 'access_denied', error_description: 'the person has broken off' }
      : { login: { accountId, amr: [...amr] } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}
