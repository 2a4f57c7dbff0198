import { buildDocsSite } from '@rubrica/build';
import { disposeAfterAll } from '@rubrica/testkit';
import { accessibilityFaults, openBrowser, type Page } from '@rubrica/testkit/browser';
import { afterEach, expect, test } from 'vitest';
import { arrangeSuccess } from './support/documented-calls.ts';
import { testGateway } from './support/gateway.ts';

const gateway = await disposeAfterAll(testGateway({ SANDBOX: 'true', DOCS_SITE: await buildDocsSite() }));
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));

const devices = [
  { device: 'phone', size: [360, 740], scheme: 'dark' },
  { device: 'desktop', size: [1280, 900], scheme: 'light' },
] as const;

const paths = [
  '/docs/en',
  '/docs/es/errors',
  // Links in running text must differ from it by more than their colour.
  '/docs/en/linked-partner',
  '/docs/en/states',
  '/docs/en/events',
  '/docs/es/reference/registerLinkedPartner',
  '/docs/operators',
  '/docs/operators/reviews',
];

test.each(devices.flatMap((way) => paths.map((path) => ({ ...way, path }))))(
  'the documentation at $path fits a $device, and can be used by keyboard and screen reader',
  async ({ path, ...way }) => {
    const page = await browser.page({ ...way, language: 'en' });
    await page.goto(`${gateway.url}${path}`);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    const [wanted, given] = (await page.evaluate(
      '[document.documentElement.scrollWidth, innerWidth]',
    )) as number[];
    expect(wanted).toBe(given);
    expect(await accessibilityFaults(page)).toEqual([]);
  },
);

/** What a browser complains of. */
function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  return found;
}

test('the search finds a code by its beginning, and leads there by keyboard alone', async () => {
  const page = await browser.page({ size: [375, 740], language: 'es' });
  const found = complaints(page);
  await page.goto(`${gateway.url}/docs/es`);
  await page.keyboard.press('/');
  await page.keyboard.type('finger_code');
  await page.waitForSelector('form[role=search] li a');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/es/errors#FINGER_CODE_MISMATCH');
  expect(found).toEqual([]);
});

test('a language that was chosen for examples is kept on the next page', async () => {
  const page = await browser.page({ size: [1280, 900], language: 'en' });
  const found = complaints(page);
  await page.goto(`${gateway.url}/docs/en/reference/registerTransactional`);
  await page.click('.tabs button[data-language=python]');
  await page.goto(`${gateway.url}/docs/en/reference/revokeCertificate`);
  await page.waitForSelector('figure[data-language=python]:visible');
  expect(await page.locator('figure[data-language=bash]:visible').count()).toBe(0);
  expect(found).toEqual([]);
});

test('a call is tried from its page, with a token of one’s own', async () => {
  arrangeSuccess(gateway);
  const page = await browser.page({ size: [1280, 900], language: 'en' });
  const found = complaints(page);
  await page.goto(`${gateway.url}/docs/en/reference/registerTransactional`);
  await page.fill('form.try [name=token]', await gateway.token());
  await page.click('form.try button');
  // Not by `waitForFunction`: it evaluates a string in the page, which the page's policy refuses.
  await page.locator('form.try pre', { hasText: /^200 OK/ }).waitFor();
  expect(await page.textContent('form.try pre')).toContain('"referenceTransaction": "TRY-');
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(found).toEqual([]);
});

test('a link to a procedure, from when all were on one page, leads to the page of its group', async () => {
  const page = await browser.page({ size: [1280, 900], language: 'en' });
  await page.goto(`${gateway.url}/docs/operators#reviews.queue`);
  await page.waitForURL('**/docs/operators/reviews#reviews.queue');
});

test('a page can be read where no script runs', async () => {
  const page = await browser.page({ size: [375, 740], language: 'en', javaScript: false });
  await page.goto(`${gateway.url}/docs/en/reference/registerTransactional`);
  expect(await page.locator('figure.code:visible').count()).toBeGreaterThanOrEqual(4);
  for (const needless of ['form[role=search]', 'form.try', '.copy'])
    expect(await page.locator(needless).locator('visible=true').count()).toBe(0);
});
