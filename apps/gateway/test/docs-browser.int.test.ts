import { accessibilityFaults, openBrowser, type TestBrowser } from '@rubrica/testkit/browser';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestGateway, testGateway } from './support/gateway.ts';

const stack = new AsyncDisposableStack();
let gateway: TestGateway;
let browser: TestBrowser;
beforeAll(async () => {
  gateway = stack.use(await testGateway());
  browser = stack.use(await openBrowser());
});
afterAll(() => stack.disposeAsync());
afterEach(() => browser.closePages());

const devices = [
  { device: 'phone', size: [360, 740], scheme: 'dark' },
  { device: 'desktop', size: [1280, 900], scheme: 'light' },
] as const;

const paths = [
  '/docs/en',
  '/docs/es/errors',
  '/docs/en/events',
  '/docs/es/reference/registerLinkedPartner',
  '/docs/operators',
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
