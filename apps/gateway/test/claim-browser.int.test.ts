import { AppError } from '@rubrica/process';
import { openBrowser, type Page, type TestBrowser } from '@rubrica/testkit/browser';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimView, createFakeClaim, issued, requestId } from './support/fake-claims.ts';
import { type TestGateway, testGateway } from './support/gateway.ts';
import { expectUsable, nameOf, type Way, ways } from './support/pages.ts';

const stack = new AsyncDisposableStack();
let gateway: TestGateway;
let browser: TestBrowser;
beforeAll(async () => {
  gateway = stack.use(await testGateway());
  browser = stack.use(await openBrowser());
});
afterAll(() => stack.disposeAsync());
afterEach(() => browser.closePages());
beforeEach(() => {
  const { token: _token, ...fresh } = createFakeClaim();
  Object.assign(gateway.state.claim, fresh);
});

function claim() {
  return gateway.state.claim;
}

function link(language = 'es') {
  return `${gateway.url}/claim/${claim().token}?lang=${language}`;
}

const password = 'caballo bateria grapa';

/** A click waits until the answer begins: the status may be there before the forms below it, and before the script. */
async function sendCode(page: Page): Promise<void> {
  await page.click('#send');
  await page.waitForSelector('[role=status] >> text=/\\+593/');
  await page.waitForLoadState();
}

/** Each state an applicant can meet, and how the page is brought there. */
const states: Readonly<Record<string, (page: Page, way: Way) => Promise<unknown>>> = {
  open: (page, { language }) => page.goto(link(language)),
  sent: async (page, { language }) => {
    await page.goto(link(language));
    await sendCode(page);
    await page.click('summary');
    if (await page.locator('[data-show]').isVisible()) {
      await page.fill('#password', password);
      await page.waitForSelector('.strength[data-level="4"], .strength[data-level="3"]');
    }
  },
  faults: async (page, { language }) => {
    await page.goto(link(language));
    await sendCode(page);
    await page.waitForSelector('form >> nth=1', { state: 'attached' });
    await page.evaluate('document.forms[1].noValidate = true');
    await page.fill('#code', '999999');
    await page.fill('#password', 'short');
    await page.click('form button[type=submit] >> nth=1');
    await page.waitForSelector('.summary');
  },
  weak: async (page, { language }) => {
    await page.goto(link(language));
    await sendCode(page);
    await page.waitForSelector('form >> nth=1', { state: 'attached' });
    await page.fill('#code', '048213');
    await page.fill('#password', 'mariajose1');
    await page.fill('#passwordConfirmation', 'mariajose1');
    await page.check('#acceptTerms');
    await page.click('form button[type=submit] >> nth=1');
    await page.waitForSelector('.summary');
  },
  'not-ready': (page, { language }) => {
    claim().view = claimView({ certificateType: 'TRANSACTIONAL_SIGNATURE' });
    return page.goto(link(language));
  },
  progress: async (page, { language }) => {
    claim().view = claimView({ state: 'IN_PROGRESS' });
    await page.goto(link(language));
    await page.waitForSelector('[data-progress]');
  },
  ready: async (page, { language }) => {
    claim().view = claimView(issued());
    await page.goto(link(language));
    await sendCode(page);
  },
  ended: (page, { language }) => {
    claim().view = claimView({ ...issued(), state: 'DOWNLOAD_ENDED' });
    return page.goto(link(language));
  },
  invalid: (page, { language }) => page.goto(`${gateway.url}/claim/nothing?lang=${language}`),
  expired: (page, { language }) => {
    claim().failures.view = [new AppError({ code: 'CLAIM_LINK_EXPIRED' })];
    return page.goto(link(language));
  },
  away: (page, { language }) => {
    claim().failures.view = [new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 })];
    return page.goto(link(language));
  },
};

test.each(
  ways.flatMap((way) =>
    Object.keys(states).map((state) => ({ name: `${state} ${nameOf(way)}`, state, way })),
  ),
)(
  'axe finds nothing, nothing is cut off, and every target meets a thumb: $name',
  async ({ name, state, way }) => {
    const page = await browser.page(way);
    await states[state]?.(page, way);
    await expectUsable({ browser, page, way, name });
  },
);

test('by keyboard alone an applicant gets to progress, and sees there without a reload that the certificate is ready', async () => {
  const page = await browser.page();
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const focused = () =>
    page.evaluate('document.activeElement.id || document.activeElement.textContent') as Promise<string>;
  const tabTo = async (target: string) => {
    for (let index = 0; index < 30; index += 1) {
      await press('Tab');
      if ((await focused()).includes(target)) return;
    }
    throw new Error(`no way by keyboard to ${target}`);
  };
  await page.goto(link());
  await press('Tab');
  expect(await focused()).toBe('Saltar al contenido');
  await tabTo('send');
  await press('Enter');
  await page.waitForSelector('text=Enviar otro código');
  await page.waitForLoadState();
  await tabTo('code');
  await page.keyboard.type('048213');
  await tabTo('password');
  await page.keyboard.type(password);
  await tabTo('passwordConfirmation');
  await page.keyboard.type(password);
  await tabTo('acceptTerms');
  await press('Space', 'Enter');
  await page.waitForSelector('[data-progress]');
  expect(claim().claimed).toHaveLength(1);

  await page.evaluate('window.sameDocument = true');
  await expect.poll(() => claim().calls.filter((name) => name === 'view').length).toBeGreaterThan(2);
  claim().view = claimView(issued());
  gateway.bus.nc.publish('live.events.certificate.issued', JSON.stringify({ requestId }));
  await page.waitForSelector('text=Su certificado está listo');
  expect(await page.evaluate('window.sameDocument')).toBe(true);
  expect(await focused()).toBe('Su certificado está listo');

  await sendCode(page);
  await page.fill('#code', '048213');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toBe('certificate-4AB1C09F27E3D1885C6A.p12');
});

test('the page says in its own language that two passwords differ, and breaks none of its own rules', async () => {
  const page = await browser.page({ language: 'en' });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(gateway.url)) complaints.push(request.url());
  });
  await page.goto(`${gateway.url}/claim/${claim().token}`);
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  await page.fill('#password', password);
  await page.fill('#passwordConfirmation', `${password}!`);
  expect(await page.evaluate('document.querySelector("#passwordConfirmation").validationMessage')).toBe(
    'The two passwords are not the same.',
  );
  await page.fill('#password', 'el ñandú corre');
  const told = page.locator('[data-unfit]');
  expect(await told.isVisible()).toBe(true);
  expect(await page.evaluate('document.querySelector("#password").validationMessage')).toBe(
    await told.textContent(),
  );
  expect(await told.textContent()).toMatch(/^Write the password without accents, ñ .* signing programs/);
  await page.fill('#password', password);
  expect(await told.isVisible()).toBe(false);
  expect(await page.evaluate('document.querySelector("#password").validationMessage')).toBe('');
  await page.click('text=Show passwords');
  expect(await page.locator('#password').getAttribute('type')).toBe('text');
  expect(complaints).toEqual([]);
});
