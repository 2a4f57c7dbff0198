import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { claimView, createFakeClaim, issued } from './support/fake-claims.ts';
import { formBrowser } from './support/form-browser.ts';
import { testGateway } from './support/gateway.ts';

const gateway = await disposeAfterAll(testGateway());

beforeEach(() => {
  const { token: _token, ...fresh } = createFakeClaim();
  Object.assign(gateway.state.claim, fresh);
});

const termsId = '0197a000-0000-7000-8000-0000000000cc';
const chosen = {
  password: 'caballo bateria grapa',
  passwordConfirmation: 'caballo bateria grapa',
  acceptTerms: 'true',
  termsId,
};

function claim() {
  return gateway.state.claim;
}

function link(below = '') {
  return `${gateway.url}/claim/${claim().token}${below}`;
}

function path(below = '') {
  return `/claim/${claim().token}${below}`;
}

test('without scripts an applicant gets from the link to the file with one code', async () => {
  const browser = formBrowser();
  const who = await browser.open(link());
  expect(who.text).toContain('Enlace válido hasta');
  expect(who.text).toContain('mailto:firmas@banco.example');
  const code = await browser.post(link('/code'));
  expect([code.path, code.status]).toEqual([path('/code'), 200]);
  expect(code.text).toMatch(/<input id="code"[^>]*autocomplete="one-time-code"[^>]* autofocus/);
  const password = await browser.post(link('/check'), { code: '048213' });
  expect([password.path, password.status]).toEqual([path('/password'), 200]);
  expect(password.text).toContain('clave privada son personales &lt;y secretas&gt;');
  expect(password.text).not.toContain('name="code"');
  expect((await browser.post(link('/password'), chosen)).path).toBe(path());
  expect(claim().claimed).toMatchObject([{ termsId, code: undefined }]);

  claim().view = claimView(issued());
  expect((await browser.open(link())).text).toContain('Descargar certificado');
  for (let time = 0; time < 2; time += 1) {
    const file = await browser.post(link('/download'));
    expect(file.headers.get('content-type')).toBe('application/x-pkcs12');
  }
  const after = await browser.open(link());
  expect(after.text).toContain('Ya tiene su certificado');
  for (const section of ['Windows', 'macOS', 'Firefox', 'Adobe', 'FirmaEC', '/revoke'])
    expect(after.text).toContain(section);
  expect(claim().languages).toEqual(['es']);
});

test('what the browser keeps belongs to this link, is out of reach of scripts, and ends by itself', async () => {
  const browser = formBrowser();
  await browser.post(link('/code'));
  await browser.post(link('/check'), { code: '048213' });
  expect(browser.setCookies).toHaveLength(1);
  const [right = ''] = browser.setCookies;
  expect(right).toMatch(/^rubrica-claim-right=claim-\w+; /);
  expect(right).toContain(`; Path=${path()}; SameSite=Strict`);
  expect(right).toMatch(/; HttpOnly$/);
  expect(Number(/Max-Age=(\d+)/.exec(right)?.[1])).toBeGreaterThan(800);
  await browser.post(link('/password'), chosen);
  expect([...browser.cookies.keys()]).toEqual(['rubrica-claim-retrieval']);
  const retrieval = browser.setCookies.find((one) => one.startsWith('rubrica-claim-retrieval=download-'));
  expect(retrieval).toMatch(/Max-Age=1(79\d|800); .*HttpOnly$/);
});

test('under https the browser keeps it from any other connection', async () => {
  await using secure = await testGateway({ BASE_URL: 'https://gateway.test' });
  secure.state.claim.code = '048213';
  const address = `${secure.url}/claim/${secure.state.claim.token}`;
  const browser = formBrowser();
  await browser.post(`${address}/check`, { code: '048213' });
  expect(browser.setCookies[0]).toMatch(
    /^__Secure-rubrica-claim-right=.*; SameSite=Strict; Secure; HttpOnly$/,
  );
});

test('a wrong code is told on its own screen, with the tries that are left', async () => {
  const browser = formBrowser();
  await browser.post(link('/code'));
  const wrong = await browser.post(link('/check'), { code: '999999' });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('El código no es correcto.');
  expect(wrong.text).toContain('Quedan 4 intentos.');
  claim().view = claimView({ code: { ...nonNull(claim().view.code), triesLeft: 1 } });
  expect((await browser.open(link('/code'))).text).toContain('Queda 1 intento.');
  expect(browser.setCookies).toEqual([]);
});

test('after the last try the page says what happens, and when a new code can be had', async () => {
  const inTwoMinutes = new Date(Date.now() + 120_000).toISOString();
  claim().failures.checkCode = [new AppError({ code: 'OTP_ATTEMPTS_EXCEEDED', retryAfterSeconds: 120 })];
  claim().view = claimView({ code: null, nextCodeAt: inTwoMinutes });
  const browser = formBrowser();
  const spent = await browser.post(link('/check'), { code: '999999' });
  expect([spent.status, spent.headers.get('retry-after')]).toEqual([429, '120']);
  expect(spent.text).toContain('Por su seguridad, el código anterior ya no vale.');
  expect(spent.text).toMatch(/Podrá pedir otro a las \d\d:\d\d\./);
  // It is still said when the page is opened again.
  expect((await browser.open(link('/code'))).text).toContain('el código anterior ya no vale');
});

test('a second tap on the button that sends a code is absorbed, a later one says when', async () => {
  const browser = formBrowser();
  await browser.post(link('/code'));
  claim().failures.sendCode = [
    new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: 1 }),
    new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: 1 }),
  ];
  const second = await browser.post(link('/code'));
  expect([second.status, second.path]).toEqual([200, path('/code')]);
  const minuteAgo = new Date(Date.now() - 60_000).toISOString();
  claim().view = claimView({ code: { ...nonNull(claim().view.code), sentAt: minuteAgo } });
  expect((await browser.post(link('/code'))).status).toBe(429);
});

test('who has checked a code is led on without another', async () => {
  const browser = formBrowser();
  await browser.post(link('/code'));
  await browser.post(link('/check'), { code: '048213' });
  expect((await browser.post(link('/code'))).path).toBe(path('/password'));
  await browser.post(link('/password'), chosen);
  claim().view = claimView(issued());
  const file = await browser.post(link('/code'));
  expect([file.path, file.text.includes('Descargar certificado')]).toEqual([path(), true]);
  expect(claim().languages).toEqual(['es']);
});

test.each([
  ['/password', {}, chosen, 409, 'Pasó demasiado tiempo'],
  ['/download', issued(), {}, 409, 'Pasó demasiado tiempo'],
] as const)(
  'a right that is over at %s begins with another code',
  async (below, view, fields, status, text) => {
    const browser = formBrowser();
    await browser.post(link('/code'));
    await browser.post(link('/check'), { code: '048213' });
    if (below === '/download') await browser.post(link('/password'), chosen);
    claim().rights.clear();
    claim().view = claimView({ ...view, code: null });
    const over = await browser.post(link(below), fields);
    expect([over.status, over.text]).toEqual([status, expect.stringContaining(text)]);
    expect(over.text).toContain('id="send"');
    expect([...browser.cookies.keys()].filter((name) => !name.endsWith('taken'))).toEqual([]);
  },
);

test('a password that is refused costs no code, and is not shown again', async () => {
  const browser = formBrowser();
  await browser.post(link('/code'));
  await browser.post(link('/check'), { code: '048213' });
  const weak = await browser.post(link('/password'), {
    ...chosen,
    password: '12345678',
    passwordConfirmation: '12345678',
  });
  expect([weak.status, weak.path]).toEqual([400, path('/password')]);
  expect(weak.text).toContain('está entre las más usadas');
  expect(weak.text).not.toContain('12345678');
  expect((await browser.post(link('/password'), chosen)).path).toBe(path());
  expect(claim().claimed).toHaveLength(1);
  // The first of two taps has claimed: the second is led on.
  expect((await browser.post(link('/password'), chosen)).text).toContain('Estamos emitiendo');
});

test('a browser that keeps no cookies is asked for the code with the password', async () => {
  await formBrowser().post(link('/code'));
  const page = await formBrowser().open(link('/password'));
  expect(page.text).toContain('name="code"');
  expect(page.text).toContain(`action="${path()}"`);
});

test.each([
  ['/not-me', 'DISPUTED', 'Gracias por avisarnos'],
  ['/wrong-data', 'DATA_WRONG', 'Pedimos que corrijan sus datos'],
] as const)(
  '%s is asked once more, said once, and answered with what happens',
  async (below, reported, text) => {
    const browser = formBrowser();
    const asked = await browser.open(link(below));
    expect(asked.text).toContain('Banco de Pruebas');
    expect(claim().view.reported).toBeNull();
    for (let time = 0; time < 2; time += 1) {
      const said = await browser.post(link(below));
      expect([said.status, said.path, said.text]).toEqual([200, path(), expect.stringContaining(text)]);
    }
    expect(claim().view.reported).toBe(reported);
    expect((await browser.open(link())).text).toContain('firmas@banco.example');
  },
);

test('a link that a newer one replaced names the partner, and sends a new one to the address on file', async () => {
  const token = 'D'.repeat(43);
  const dead = {
    reason: 'REPLACED',
    partnerName: 'Banco & Cía',
    partnerEmail: 'firmas@banco.example',
    hasLogo: false,
  } as const;
  const address = `${gateway.url}/claim/${token}`;
  claim().dead.set(token, { ...dead, renewableAt: new Date().toISOString() });
  const browser = formBrowser();
  const page = await browser.open(address);
  expect([page.status, page.text]).toEqual([404, expect.stringContaining('Banco &amp; Cía')]);
  expect(page.text).not.toContain('MARÍA');
  const sent = await browser.post(`${address}/new-link`);
  expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('Revise su correo')]);
  claim().failures.renewLink = [
    new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: 1 }),
    new AppError({ code: 'RESEND_LIMIT_EXCEEDED' }),
  ];
  const early = await browser.post(`${address}/new-link`);
  expect([early.status, early.text]).toEqual([429, expect.stringContaining('Espere 1 segundo e inténtelo')]);
  const many = await browser.post(`${address}/new-link`);
  expect([many.status, many.text]).toEqual([409, expect.stringContaining('Ya le enviamos varios enlaces')]);
  expect(claim().calls.filter((name) => name === 'renewLink')).toHaveLength(3);
});

test('a link whose time is over names the partner, and offers nothing that cannot be', async () => {
  const token = 'E'.repeat(43);
  claim().dead.set(token, {
    reason: 'EXPIRED',
    partnerName: 'Banco de Pruebas',
    partnerEmail: 'firmas@banco.example',
    hasLogo: false,
    renewableAt: null,
  });
  const page = await formBrowser('en').open(`${gateway.url}/claim/${token}?lang=en`);
  expect(page.text).toContain('The time to use it has ended.');
  expect(page.text).toContain('firmas@banco.example');
  expect(page.text).not.toContain('<form');
});

function nonNull<Value>(value: Value | null): Value {
  if (value === null) throw new Error('nothing there');
  return value;
}
