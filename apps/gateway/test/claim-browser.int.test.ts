import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser, type Page } from '@rubrica/testkit/browser';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimView, createFakeClaim, issued, requestId } from './support/fake-claims.ts';
import { testGateway } from './support/gateway.ts';
import { expectUsable, getPartnerName, type Way, ways } from './support/pages.ts';

const gateway = await disposeAfterAll(testGateway());
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));
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

/** A link that a newer one replaced. */
function deadLink(language: string): string {
  const token = 'D'.repeat(43);
  claim().dead.set(token, {
    reason: 'REPLACED',
    partnerName: 'Banco de Pruebas',
    partnerEmail: 'firmas@banco.example',
    hasLogo: false,
    renewableAt: new Date().toISOString(),
  });
  return `${gateway.url}/claim/${token}?lang=${language}`;
}

const password = 'caballo bateria grapa';

/** A click waits until the answer begins: what is waited for may be there before the script. */
async function sendCode(page: Page): Promise<void> {
  await page.click('#send');
  await page.waitForSelector('#code');
  await page.waitForLoadState();
}

async function enterCode(page: Page, code = '048213'): Promise<void> {
  await page.fill('#code', code);
  await page.click('form button[type=submit] >> nth=0');
}

/** At the screen on which the password is chosen. */
async function toPassword(page: Page, language: 'es' | 'en' = 'es'): Promise<void> {
  await page.goto(link(language));
  await sendCode(page);
  await enterCode(page);
  await page.waitForSelector('#passwordConfirmation');
  await page.waitForLoadState();
}

async function choose(page: Page, text: string): Promise<void> {
  await page.fill('#password', text);
  await page.fill('#passwordConfirmation', text);
  await page.check('#acceptTerms');
  await page.click('form button[type=submit]');
}

/** In the browser that claimed, with the certificate ready. */
async function toFile(page: Page, language: 'es' | 'en' = 'es'): Promise<void> {
  await toPassword(page, language);
  await choose(page, password);
  await page.waitForSelector('[data-progress]');
  claim().view = claimView(issued());
  await page.goto(link(language));
  await page.waitForSelector('#download');
}

/** Each state an applicant can meet, and how the page is brought there. */
const states: Readonly<Record<string, (page: Page, way: Way) => Promise<unknown>>> = {
  who: (page, { language }) => page.goto(link(language)),
  'not-me': async (page, { language }) => {
    await page.goto(link(language));
    await page.click('.ways a >> nth=0');
    await page.waitForSelector('button[type=submit]');
  },
  disputed: async (page, { language }) => {
    await page.goto(link(language));
    await page.click('.ways a >> nth=0');
    await page.click('button[type=submit]');
    await page.waitForSelector('main:not(:has(form))');
  },
  'data-wrong': async (page, { language }) => {
    await page.goto(link(language));
    await page.click('.ways a >> nth=1');
    await page.click('button[type=submit]');
    await page.waitForSelector('main:not(:has(form))');
  },
  code: async (page, { language }) => {
    await page.goto(link(language));
    await sendCode(page);
  },
  'code-wrong': async (page, { language }) => {
    await page.goto(link(language));
    await sendCode(page);
    await enterCode(page, '999999');
    await page.waitForSelector('.fault');
  },
  'code-spent': async (page, { language }) => {
    await page.goto(link(language));
    await sendCode(page);
    claim().view = { ...claim().view, code: null };
    claim().code = undefined;
    await enterCode(page, '999999');
    await page.waitForSelector('main:not(:has(#code))');
  },
  password: async (page, { language, javaScript }) => {
    await toPassword(page, language);
    await page.click('summary');
    if (!javaScript) return;
    await page.fill('#password', password);
    await page.waitForSelector('.strength[data-level="4"], .strength[data-level="3"]');
  },
  'password-faults': async (page, { language }) => {
    await toPassword(page, language);
    await page.evaluate('document.forms[0].noValidate = true');
    await page.fill('#password', 'short');
    await page.click('form button[type=submit]');
    await page.waitForSelector('.summary');
  },
  'password-weak': async (page, { language }) => {
    await toPassword(page, language);
    await choose(page, 'mariajose1');
    await page.waitForSelector('.summary');
  },
  file: (page, { language }) => toFile(page, language),
  'file-for-older-programs': async (page, { language }) => {
    await toFile(page, language);
    claim().view = claimView({ ...issued(), offersLegacyFile: true });
    await page.reload();
    const legacy = page.locator('button[value=legacy]');
    await Promise.all([page.waitForEvent('download'), legacy.click()]);
    expect(claim().encodings).toEqual(['legacy']);
    await page.reload();
    await page.waitForSelector('[data-taken]');
  },
  taken: async (page, { language }) => {
    await toFile(page, language);
    await Promise.all([page.waitForEvent('download'), page.click('#download')]);
    // Without scripts the page says so when it is opened again.
    await page.reload();
    await page.waitForSelector('[data-taken]');
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
  'file-elsewhere': (page, { language }) => {
    claim().view = claimView(issued());
    return page.goto(link(language));
  },
  'code-download': async (page, { language }) => {
    claim().view = claimView(issued());
    await page.goto(link(language));
    await sendCode(page);
  },
  ended: (page, { language }) => {
    claim().view = claimView({ ...issued(), state: 'DOWNLOAD_ENDED' });
    return page.goto(link(language));
  },
  dead: async (page, { language }) => {
    await page.goto(deadLink(language));
    await page.waitForSelector('#link');
  },
  'new-link': async (page, { language }) => {
    await page.goto(deadLink(language));
    await page.click('#link');
    await page.waitForSelector('main:not(:has(form))');
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
    Object.keys(states).map((state) => ({ name: `${state} ${getPartnerName(way)}`, state, way })),
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
  await page.waitForSelector('#code');
  expect(await focused()).toBe('code');
  await page.keyboard.type('048213');
  await press('Enter');
  await page.waitForSelector('#password');
  expect(await focused()).toBe('password');
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

  await tabTo('download');
  const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
  expect(download.suggestedFilename()).toMatch(
    /^Firma electrónica de MARÍA JOSÉ ÑÚÑEZ PAZMIÑO hasta \d{4}-\d\d-\d\d\.p12$/,
  );
  // The page says so by itself, and no code but the first was sent.
  await page.waitForSelector('text=Ya tiene su certificado');
  expect(claim().languages).toEqual(['es']);
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
  await sendCode(page);
  await enterCode(page);
  await page.waitForSelector('#passwordConfirmation');
  await page.waitForLoadState();
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
