import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser, type Page } from '@rubrica/testkit/browser';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeSignature, sessionId } from './support/fake-signature.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';
import { expectUsable, getPartnerName, type Way, ways } from './support/pages.ts';

const gateway = await disposeAfterAll(testGateway());
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));
beforeEach(() => {
  const { calls: _calls, ...fresh } = createFakeSignature();
  Object.assign(gateway.state.signature, fresh);
});

function signature() {
  return gateway.state.signature;
}

function link(language = 'es', session = sessionId) {
  return `${gateway.url}/liveness/${session}?lang=${language}`;
}

const states: Readonly<Record<string, (page: Page, way: Way) => Promise<unknown>>> = {
  ready: (page, { language }) => page.goto(link(language)),
  done: async (page, { language }) => {
    await page.goto(link(language));
    await page.click('button[type=submit]');
    await page.waitForSelector('form', { state: 'detached' });
  },
  expired: (page, { language }) => {
    signature().page = 'EXPIRED';
    return page.goto(link(language));
  },
  unknown: (page, { language }) => page.goto(link(language, 'of-another-applicant')),
  away: (page, { language }) => {
    const failure = () => new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    signature().failures.livenessPage = [failure(), failure()];
    return page.goto(link(language));
  },
};

test.each(
  ways.flatMap((way) =>
    Object.keys(states).map((state) => ({ name: `liveness ${state} ${getPartnerName(way)}`, state, way })),
  ),
)(
  'axe finds nothing, nothing is cut off, and every target meets a thumb: $name',
  async ({ name, state, way }) => {
    const page = await browser.page(way);
    await states[state]?.(page, way);
    await expectUsable({ browser, page, way, name });
  },
);

test('by keyboard alone an applicant is done, in the language that was chosen, and reloading sends nothing', async () => {
  const page = await browser.page({ javaScript: false });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(gateway.url)) complaints.push(request.url());
  });
  await page.goto(link('en'));
  for (let index = 0; index < 4; index += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('h1 >> text=Done');
  expect(page.url()).toBe(link('en'));
  expect(signature().page).toBe('DONE');
  await page.reload();
  expect(await page.locator('h1').textContent()).toBe('Done');
  expect(complaints).toEqual([]);
});

test('the page is not cached, takes no form of another site, and quotes no input', async () => {
  const shown = await call(link(), { headers: { accept: 'text/html' } });
  expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(shown.text).toContain('Banco &lt;de&gt; Pruebas');
  const sent = await call(link(), { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } });
  expect(sent.status).toBe(403);
  expect(signature().page).toBe('READY');
  const unknown = await call(link('es', 'nobody'), { headers: { accept: 'application/json' } });
  expect(unknown.error()).toMatchObject({ status: 404, path: '/liveness/{token}' });
});
