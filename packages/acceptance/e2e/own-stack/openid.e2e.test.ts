import {
  createUserAgent,
  signInAtProvider,
  type TestOpenIdProvider,
  testOpenIdProvider,
  type UserAgent,
} from '@rubrica/testkit/openid';
import { freePort } from '@rubrica/testkit/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnScene, openScene } from '../support/scene.ts';

const owned = new AsyncDisposableStack();
let provider: TestOpenIdProvider;
let scene: OwnScene;
let start: string;
let redirectUri: string;

beforeAll(async () => {
  const port = await freePort();
  redirectUri = `http://127.0.0.1:${port}/auth/oidc/callback`;
  start = `http://127.0.0.1:${port}/auth/oidc/start`;
  provider = owned.use(await testOpenIdProvider([redirectUri]));
  const env = {
    OPERATOR_OIDC_ISSUER: provider.issuer,
    OPERATOR_OIDC_CLIENT_ID: provider.clientId,
    OPERATOR_OIDC_CLIENT_SECRET: provider.clientSecret,
    OPERATOR_OIDC_SCOPE: provider.scope,
    OPERATOR_OIDC_ROLES: JSON.stringify({ 'ca-reviewers': 'reviewer' }),
  };
  scene = owned.use(await openScene({ port, env }));
});
afterAll(() => owned.disposeAsync());

let people = 0;
function person(roles: readonly string[]): string {
  people += 1;
  const subject = `person-${people}`;
  provider.people.set(subject, { email: `${subject}@example.com`, roles });
  return subject;
}

/** From the gateway to the provider's page and back, up to the address that is to be asked. */
async function through(agent: UserAgent, subject: string): Promise<string> {
  const begun = await agent.request(start);
  expect(begun.status).toBe(303);
  const authorizationUrl = begun.headers.get('location') ?? '';
  return (await signInAtProvider(agent, { authorizationUrl, subject, redirectUri })).href;
}

const program = { headers: { accept: 'application/json' } };
const relay = { headers: { accept: 'application/json, text/html', 'accept-language': 'es' } };
const browser = { headers: { accept: 'text/html', 'accept-language': 'en' } };

describe('signing in at the organisation’s OpenID provider', () => {
  it('gives a program that asks for JSON a session of the role that the claim names', async () => {
    const agent = createUserAgent();
    const answer = await agent.request(await through(agent, person(['ca-reviewers'])), program);
    expect(answer.status).toBe(200);
    const session = (await answer.json()) as { accessToken: string };
    expect(session).toMatchObject({ email: 'person-1@example.com', role: 'reviewer', expiresIn: 600 });
    const shown = await fetch(`${scene.stack.info().trpcUrl}/auth.sessions`, {
      headers: { authorization: `Bearer ${session.accessToken}` },
    });
    const { result } = (await shown.json()) as { result: { data: object } };
    expect(result.data).toMatchObject({
      operator: { email: 'person-1@example.com' },
      items: [{ method: 'oidc' }],
    });
  });

  it('keeps the flow in a cookie of this host alone, for ten minutes, that says nothing', async () => {
    const answer = await createUserAgent().request(start);
    const [cookie = '', ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(
      /^__Host-rubrica-oidc=[\w-]+(\.[\w-]*){4}; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
    const asked = new URL(answer.headers.get('location') ?? '').searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(cookie).not.toContain(asked.get(name) ?? 'missing');
  });

  it('is refused in another browser, once more, and with the state of another, with a page that says what to do', async () => {
    const agent = createUserAgent();
    const back = await through(agent, person(['ca-reviewers']));
    const elsewhere = await createUserAgent().request(back, relay);
    expect(elsewhere.status).toBe(401);
    expect(elsewhere.headers.get('content-language')).toBe('es');
    expect(await elsewhere.text()).toContain('<h1 tabindex="-1">Vuelva a empezar</h1>');

    const other = new URL(back);
    other.searchParams.set('state', 'x'.repeat(43));
    expect((await agent.request(other.href, program)).status).toBe(401);
    // The browser was told to forget the flow, whatever became of it.
    expect((await agent.request(back, program)).status).toBe(401);
  });

  it('refuses a person without a role, and one who has broken off', async () => {
    const agent = createUserAgent();
    const answer = await agent.request(await through(agent, person(['others'])), program);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('no role'),
    });
    const page = await agent.request(await through(createUserAgent(), ''), relay);
    expect(page.status).toBe(401);
  });

  it('gives a browser no tokens: its page leads to the console', async () => {
    const agent = createUserAgent();
    const answer = await agent.request(await through(agent, person(['ca-reviewers'])), browser);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await answer.text();
    expect(page).toContain('Sign in at the console');
    expect(page).not.toContain('accessToken');
  });

  it('leaves nothing in the services’ logs that looks like trouble', () => scene.assertUntroubled());
});
