import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { createFakeClaim, issued, p12 } from './support/fake-claims.ts';
import { renewalView } from './support/fake-renewals.ts';
import { formBrowser } from './support/form-browser.ts';
import { testGateway } from './support/gateway.ts';

const gateway = await disposeAfterAll(testGateway());

beforeEach(() => {
  const { token: _token, ...fresh } = createFakeClaim();
  Object.assign(gateway.state.claim, { ...fresh, view: renewalView() });
});

const chosen = {
  password: 'caballo bateria grapa',
  passwordConfirmation: 'caballo bateria grapa',
  acceptTerms: 'true',
};

function renewal() {
  return gateway.state.claim;
}

function path(below = '') {
  return `/renew/${renewal().token}${below}`;
}

function link(below = '') {
  return `${gateway.url}${path(below)}`;
}

test('without scripts a subscriber gets from the link to the file with one code, and its cookies are of that link', async () => {
  const browser = formBrowser();
  const who = await browser.open(link());
  expect(who.text).toContain('Renueve su firma electrónica');
  expect(who.text).toContain('Vence el');
  expect(who.text).toContain('href="/revoke"');
  expect(who.text).not.toContain('/claim/');
  expect((await browser.post(link('/code'))).path).toBe(path('/code'));
  expect((await browser.post(link('/check'), { code: '048213' })).path).toBe(path('/password'));
  const progress = await browser.post(link('/password'), chosen);
  expect([progress.path, progress.status]).toEqual([path(), 200]);
  expect(progress.text).toContain(path('/progress'));
  expect(renewal().claimed).toMatchObject([{ code: undefined, language: 'es' }]);

  renewal().view = renewalView(issued());
  const file = await browser.post(link('/download'));
  expect(file.headers.get('content-type')).toBe('application/x-pkcs12');
  expect(browser.setCookies.every((line) => line.includes(`Path=${path()};`))).toBe(true);
});

test('a program renews by one form', async () => {
  await formBrowser().post(link('/code'));
  const answer = await fetch(link(), {
    method: 'POST',
    body: new URLSearchParams({ ...chosen, code: '048213' }),
    redirect: 'manual',
  });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, path()]);
  renewal().view = renewalView(issued());
  await formBrowser().post(link('/code'));
  const file = await fetch(link('/download'), {
    method: 'POST',
    body: new URLSearchParams({ code: '048213' }),
  });
  expect(Buffer.from(await file.arrayBuffer())).toEqual(p12);
});

test.each([
  ['QUOTA_EXCEEDED', 429, 'Por ahora no puede renovarlo aquí'],
  ['AUTHORIZATION_VIDEO_REQUIRED', 412, 'Hace falta un video'],
  ['APPOINTMENT_EXPIRED', 400, 'Hace falta su nombramiento'],
  ['NO_ACTIVE_TERMS', 412, 'Todavía no puede renovarlo aquí'],
  ['REQUEST_STATE_NOT_ALLOWED', 409, 'No puede renovarlo aquí'],
] as const)(
  'where a subscriber cannot renew alone (%s) each page says whom to ask',
  async (code, status, title) => {
    const refused = () => new AppError({ code });
    renewal().failures.view = [refused()];
    const opened = await formBrowser().open(link());
    renewal().failures.sendCode = [refused()];
    const sent = await formBrowser().post(link('/code'));
    for (const page of [opened, sent]) {
      expect(page.status).toBe(status);
      expect(page.text).toContain(`${title}</h1>`);
      expect(page.text).toContain('mailto:firmas@banco.example');
      expect(page.text).not.toContain('PAZMIÑO');
    }
  },
);

test('a step that is no longer possible shows what is, and a program gets the error object without the token', async () => {
  renewal().view = renewalView({ state: 'IN_PROGRESS' });
  const page = await formBrowser().post(link('/code'));
  expect(page.status).toBe(409);
  expect(page.text).toContain('data-progress');

  renewal().failures.view = [new AppError({ code: 'CLAIM_LINK_EXPIRED' })];
  const answer = await fetch(link(), { headers: { accept: 'application/json' } });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ code: 'CLAIM_LINK_EXPIRED', path: '/renew/{token}' });
});

test('a renewal that waits says so and what comes next', async () => {
  renewal().view = renewalView({ state: 'IN_PROGRESS', obstacle: 'ERROR' });
  const page = await fetch(link(), { headers: { accept: 'text/html', 'accept-language': 'es' } });
  const text = await page.text();
  expect(text).toContain('La emisión de su certificado se detuvo</h1>');
  expect(text).not.toContain('data-progress="');
});

test('what is of a claim alone is not below the link of a renewal', async () => {
  for (const below of ['/not-me', '/wrong-data', '/new-link', '/revoke'])
    expect((await fetch(link(below), { method: 'POST' })).status).toBe(404);
});
