import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser, type Page } from '@rubrica/testkit/browser';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeClaim, issued, requestId } from './support/fake-claims.ts';
import { renewalView } from './support/fake-renewals.ts';
import { testGateway } from './support/gateway.ts';
import { expectUsable, getPartnerName, type Way, ways } from './support/pages.ts';

const gateway = await disposeAfterAll(testGateway());
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));
beforeEach(() => {
  const { token: _token, ...fresh } = createFakeClaim();
  Object.assign(gateway.state.claim, { ...fresh, view: renewalView() });
});

const password = 'caballo bateria grapa';

function renewal() {
  return gateway.state.claim;
}

function link(language = 'es') {
  return `${gateway.url}/renew/${renewal().token}?lang=${language}`;
}

async function sendCode(page: Page): Promise<void> {
  await page.click('#send');
  await page.waitForSelector('#code');
  await page.waitForLoadState();
}

async function toPassword(page: Page, language: 'es' | 'en'): Promise<void> {
  await page.goto(link(language));
  await sendCode(page);
  await page.fill('#code', '048213');
  await page.click('form button[type=submit] >> nth=0');
  await page.waitForSelector('#passwordConfirmation');
  await page.waitForLoadState();
}

/** In the browser that renewed, with the certificate ready. */
async function toFile(page: Page, language: 'es' | 'en'): Promise<void> {
  await toPassword(page, language);
  await page.fill('#password', password);
  await page.fill('#passwordConfirmation', password);
  await page.check('#acceptTerms');
  await page.click('form button[type=submit]');
  await page.waitForSelector('[data-progress]');
  renewal().view = renewalView(issued());
  await page.goto(link(language));
  await page.waitForSelector('#download');
}

/** The page that says whom to ask, after this refusal. */
function asking(code: AppError['code'], reason = renewal().contactReason) {
  return async (page: Page, { language }: Way) => {
    renewal().contactReason = reason;
    renewal().failures.view = [new AppError({ code })];
    await page.goto(link(language));
    await page.waitForSelector('a[href^="mailto:"]');
  };
}

/** Each state that looks otherwise than that of a claim, and how the page is brought there. */
const states: Readonly<Record<string, (page: Page, way: Way) => Promise<unknown>>> = {
  who: (page, { language }) => page.goto(link(language)),
  password: (page, { language }) => toPassword(page, language),
  progress: async (page, { language }) => {
    renewal().view = renewalView({ state: 'IN_PROGRESS', serialNumber: null, notAfter: null });
    await page.goto(link(language));
    await page.waitForSelector('[data-progress]');
  },
  file: (page, { language }) => toFile(page, language),
  ended: (page, { language }) => {
    renewal().view = renewalView({ state: 'ENDED', serialNumber: null, notAfter: null });
    return page.goto(link(language));
  },
  renewed: (page, way) => asking('REQUEST_STATE_NOT_ALLOWED', 'RENEWED')(page, way),
  asking: (page, way) => asking('APPOINTMENT_EXPIRED', 'ASK')(page, way),
};

test.each(
  ways.flatMap((way) =>
    Object.keys(states).map((state) => ({ name: `renew-${state} ${getPartnerName(way)}`, state, way })),
  ),
)(
  'axe finds nothing, nothing is cut off, and every target meets a thumb: $name',
  async ({ name, state, way }) => {
    const page = await browser.page(way);
    await states[state]?.(page, way);
    await expectUsable({ browser, page, way, name });
  },
);

test('by keyboard alone a subscriber gets from the link to the file, with one code, and the page keeps to its own rules', async () => {
  const page = await browser.page();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const focused = () =>
    page.evaluate('document.activeElement.id || document.activeElement.textContent') as Promise<string>;
  const tabTo = async (target: string) => {
    for (let index = 0; index < 30; index += 1) {
      await page.keyboard.press('Tab');
      if ((await focused()).includes(target)) return;
    }
    throw new Error(`no way by keyboard to ${target}`);
  };
  await page.goto(link());
  await tabTo('send');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#code');
  await page.keyboard.type('048213');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#password');
  await page.keyboard.type(password);
  await tabTo('passwordConfirmation');
  await page.keyboard.type(password);
  await tabTo('acceptTerms');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-progress]');
  expect(renewal().claimed).toHaveLength(1);

  await expect.poll(() => renewal().calls.filter((name) => name === 'view').length).toBeGreaterThan(2);
  renewal().view = renewalView(issued());
  gateway.bus.nc.publish('live.events.certificate.issued', JSON.stringify({ requestId }));
  await page.waitForSelector('text=Su certificado está listo');
  await tabTo('download');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/^Firma electrónica de .*\.p12$/);
  await page.waitForSelector('text=Ya tiene su certificado');
  expect(renewal().languages).toEqual(['es']);
  expect(complaints).toEqual([]);
});
