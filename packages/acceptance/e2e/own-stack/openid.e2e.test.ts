import { disposeAfterAll } from '@rubrica/testkit';
import { accessibilityFaults, openBrowser } from '@rubrica/testkit/browser';
import {
  createUserAgent,
  signInAtProvider,
  testOpenIdProvider,
  type UserAgent,
} from '@rubrica/testkit/openid';
import { describe, expect, it } from 'vitest';
import { openScene } from '../support/scene.ts';

const atConsole = (path: string) => `${scene.stack.info().consoleUrl}${path}`;

const provider = await disposeAfterAll(testOpenIdProvider());
const env = {
  OPERATOR_OIDC_ISSUER: provider.issuer,
  OPERATOR_OIDC_CLIENT_ID: provider.clientId,
  OPERATOR_OIDC_CLIENT_SECRET: provider.clientSecret,
  OPERATOR_OIDC_SCOPE: provider.scope,
  OPERATOR_OIDC_ROLES: JSON.stringify({ 'ca-reviewers': 'reviewer' }),
};
const scene = await disposeAfterAll(openScene({ env }));
provider.redirectUris.add(atConsole('/auth/oidc/callback'));
const browser = await disposeAfterAll(openBrowser());

const atGateway = (path: string) => `${scene.stack.info().baseUrl}${path}`;

let people = 0;
function person(roles: readonly string[]): string {
  people += 1;
  const subject = `person-${people}`;
  provider.people.set(subject, { email: `${subject}@example.com`, roles });
  return subject;
}

/** From a start to the provider's page and back. @returns the path that is to be asked, with its query */
async function through(agent: UserAgent, subject: string, start: string): Promise<string> {
  const begun = await agent.request(start);
  expect(begun.status).toBe(303);
  const authorizationUrl = begun.headers.get('location') ?? '';
  const redirectUri = atConsole('/auth/oidc/callback');
  const back = await signInAtProvider(agent, { authorizationUrl, subject, redirectUri });
  return `${back.pathname}${back.search}`;
}

const program = { headers: { accept: 'application/json' } };
const inSpanish = { headers: { accept: 'text/html', 'accept-language': 'es' } };

describe('signing in at the organisation’s OpenID provider, in a browser', () => {
  it('leads from the console’s page to the provider and back, signed in, with the session in a Strict cookie', async () => {
    const subject = person(['ca-reviewers']);
    const page = await browser.page({ language: 'en' });
    await page.goto(scene.stack.info().consoleUrl);
    await page.getByRole('link', { name: 'With the account of your organisation' }).click();
    await page.getByRole('button', { name: subject }).click();
    await page.getByRole('navigation').first().waitFor();
    expect(new URL(page.url()).href).toBe(atConsole('/'));
    const cookies = (await page.context().cookies(atConsole('/'))).map(({ name, sameSite, httpOnly }) => [
      name,
      sameSite,
      httpOnly,
    ]);
    expect(cookies).toEqual([['__Host-rubrica', 'Strict', true]]);
    const session = await page.evaluate("fetch('/session').then((answer) => answer.json())");
    expect(session).toMatchObject({ signedIn: true, email: `${subject}@example.com`, role: 'reviewer' });
    await page.goto(atConsole('/account'));
    await page.getByText('You sign in with the account of your organisation').waitFor();
  });

  it('says on an accessible page in the reader’s language why nobody is signed in', async () => {
    const subject = person(['others']);
    const page = await browser.page({ language: 'es' });
    await page.goto(atConsole('/auth/oidc/start'));
    await page.getByRole('button', { name: subject }).click();
    await page.getByRole('heading', { name: 'Su cuenta no tiene un rol aquí' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.context().cookies(atConsole('/'))).toEqual([]);
  });
});

describe('the address to come back to', () => {
  it.each([
    ['the console', atConsole],
    ['the gateway', atGateway],
  ])(
    'of %s keeps the flow in a cookie of this host alone, for ten minutes, that says nothing',
    async (_where, at) => {
      const answer = await createUserAgent().request(at('/auth/oidc/start'));
      const [cookie = '', ...others] = answer.headers.getSetCookie();
      expect(others).toEqual([]);
      expect(cookie).toMatch(
        /^__Host-rubrica-oidc=[\w-]+(\.[\w-]*){4}; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
      );
      const asked = new URL(answer.headers.get('location') ?? '').searchParams;
      expect(asked.get('code_challenge_method')).toBe('S256');
      for (const name of ['state', 'nonce', 'code_challenge'])
        expect(cookie).not.toContain(asked.get(name) ?? 'missing');
    },
  );

  it('gives a program at the gateway that asks for JSON a session', async () => {
    const agent = createUserAgent();
    const subject = person(['ca-reviewers']);
    const back = await through(agent, subject, atGateway('/auth/oidc/start'));
    const answer = await agent.request(atGateway(back), program);
    expect(answer.status).toBe(200);
    const session = (await answer.json()) as { accessToken: string };
    expect(session).toMatchObject({ email: `${subject}@example.com`, role: 'reviewer', expiresIn: 600 });
    const authorization = `Bearer ${session.accessToken}`;
    const shown = await fetch(atGateway('/trpc/auth.sessions'), { headers: { authorization } });
    const { result } = (await shown.json()) as { result: { data: object } };
    expect(result.data).toMatchObject({ items: [{ method: 'oidc' }] });
  });

  it('gives a browser at the gateway no tokens: its page leads to the console', async () => {
    const agent = createUserAgent();
    const back = await through(agent, person(['ca-reviewers']), atGateway('/auth/oidc/start'));
    const answer = await agent.request(atGateway(back), inSpanish);
    expect(answer.status).toBe(403);
    const page = await answer.text();
    expect(page).toContain('Entre por la consola');
    expect(page).not.toContain('accessToken');
  });

  it('refuses in another browser, once more, and with the state of another', async () => {
    const agent = createUserAgent();
    const back = await through(agent, person(['ca-reviewers']), atConsole('/auth/oidc/start'));
    const elsewhere = await createUserAgent().request(atConsole(back), inSpanish);
    expect(elsewhere.status).toBe(401);
    expect(elsewhere.headers.get('content-language')).toBe('es');
    expect(await elsewhere.text()).toContain('<h1 tabindex="-1">Vuelva a empezar</h1>');

    const other = back.replace(/state=[^&]*/, `state=${'x'.repeat(43)}`);
    expect((await agent.request(atConsole(other))).status).toBe(401);
    // The browser was told to forget the flow, whatever became of it.
    expect((await agent.request(atConsole(back))).status).toBe(401);
  });

  it('refuses a person without a role, and one who has broken off', async () => {
    const agent = createUserAgent();
    const back = await through(agent, person(['others']), atGateway('/auth/oidc/start'));
    const answer = await agent.request(atGateway(back), program);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('no role'),
    });
    const another = createUserAgent();
    const brokenOff = await through(another, '', atConsole('/auth/oidc/start'));
    expect((await another.request(atConsole(brokenOff), inSpanish)).status).toBe(401);
  });

  it('leaves nothing in the services’ logs that looks like trouble', () => scene.assertUntroubled());
});
