import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser, type Page } from '@rubrica/testkit/browser';
import { afterEach, expect, test } from 'vitest';
import { testGateway } from './support/gateway.ts';
import { expectUsable, getPartnerName, ways } from './support/pages.ts';

const gateway = await disposeAfterAll(testGateway());
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));

function asked(path: string) {
  return gateway.state.asked.filter((one) => one.path === path).map(({ input }) => input);
}

const valueShape = /^[A-Za-z0-9_-]{43}$/;
/** The value of the browser that has asked last. */
function lastValue(path: string): unknown {
  return (asked(path).at(-1) as { readonly browser?: string }).browser;
}

function titleOf(page: Page) {
  return page.locator('h1').textContent();
}

/** A click that brings the next page. */
async function submit(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('domcontentloaded'), page.click('button[type=submit]')]);
}

async function name(page: Page, serialNumber: string): Promise<void> {
  await page.fill('#identificationNumber', '171003406-5');
  await page.fill('#serialNumber', serialNumber);
  await submit(page);
}

test.each(ways.map((way) => [getPartnerName(way), way] as const))(
  'a subscriber revokes, and every page can be used: %s',
  async (named, way) => {
    const page = await browser.page(way);
    const usable = (state: string) => expectUsable({ browser, page, way, name: `revoke ${state} ${named}` });
    await page.goto(`${gateway.url}/revoke?lang=${way.language}`);
    await usable('begin');
    await name(page, '4a:b1');
    expect(asked('revocations.sendCode').at(-1)).toEqual({
      target: { identificationNumber: '1710034065', serialNumber: '4ab1' },
      language: way.language,
      address: '127.0.0.1',
      sealedBrowser: expect.any(String),
      browser: expect.stringMatching(valueShape),
    });
    await usable('code');
    await page.fill('#code', '111111');
    await page.check('[value=keyCompromise]');
    await submit(page);
    expect(await page.locator('[role=alert]').count()).toBe(1);
    await usable('wrong');
    await page.fill('#code', '048 213');
    await page.check('[value=keyCompromise]');
    await submit(page);
    expect(asked('revocations.revoke').at(-1)).toMatchObject({
      ...{ code: '048213', reason: 'keyCompromise' },
      ...{ address: '127.0.0.1', browser: lastValue('revocations.sendCode') },
    });
    expect(await titleOf(page)).toBe(
      way.language === 'es' ? 'Su certificado está revocado' : 'Your certificate is revoked',
    );
    await usable('done');
  },
);

test('by the link of the claim it takes a code alone', async () => {
  const page = await browser.page();
  await page.goto(`${gateway.url}/claim/${gateway.state.claim.token}/revoke?lang=es`);
  await submit(page);
  expect(asked('revocations.sendCode').at(-1)).toMatchObject({
    target: { sealedToken: expect.any(String) },
  });
  await page.fill('#code', '048213');
  await page.check('[value=unspecified]');
  await submit(page);
  expect(await titleOf(page)).toBe('Su certificado está revocado');
  expect(asked('revocations.revoke').at(-1)).toMatchObject({ reason: 'unspecified' });
});

async function enter(page: Page, code: string): Promise<void> {
  await page.fill('#code', code);
  await page.check('[value=unspecified]');
  await submit(page);
}

test('two browsers have values apart, and one keeps its own when the page is opened anew', async () => {
  const [one, other] = [await browser.page(), await browser.page()];
  const values: unknown[] = [];
  for (const page of [one, one, other]) {
    await page.goto(`${gateway.url}/revoke?lang=es`);
    await name(page, '4AB1');
    values.push(lastValue('revocations.sendCode'));
  }
  expect(values[1]).toBe(values[0]);
  expect(values[2]).not.toBe(values[0]);
});

test('two taps on the button ask for one browser, so that the second sends no other code', async () => {
  const page = await browser.page();
  await page.goto(`${gateway.url}/revoke?lang=es`);
  const shown = await page.inputValue('[name=browser]');
  expect(shown).toMatch(valueShape);
  await name(page, 'no es un número');
  expect(await page.inputValue('[name=browser]')).toBe(shown);
  await name(page, '4AB1');
  expect(lastValue('revocations.sendCode')).toBe(shown);
});

test('a browser that keeps no cookies sends its value in the form', async () => {
  const page = await browser.page();
  await page.goto(`${gateway.url}/revoke?lang=es`);
  await name(page, '4AB1');
  await page.context().clearCookies();
  await enter(page, '111111');
  expect(lastValue('revocations.revoke')).toBe(lastValue('revocations.sendCode'));
  await enter(page, '048213');
  expect(lastValue('revocations.revoke')).toBe(lastValue('revocations.sendCode'));
  expect(await titleOf(page)).toBe('Su certificado está revocado');
});

test('a page of the release before, which has no value, takes its code still', async () => {
  const page = await browser.page();
  await page.goto(`${gateway.url}/revoke?lang=es`);
  await name(page, '4AB1');
  await page.context().clearCookies();
  await page.evaluate("document.querySelector('[name=browser]').remove()");
  await enter(page, '048213');
  expect(asked('revocations.revoke').at(-1)).not.toHaveProperty('sealedBrowser');
  expect(await titleOf(page)).toBe('Su certificado está revocado');
});

test('a program sends a value of its own, or the cookie that it was given', async () => {
  const names = { identificationNumber: '1710034065', serialNumber: '4AB1' };
  const post = (path: string, fields: object, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...names, ...fields }),
    });
  const browserValue = 'A'.repeat(43);
  await post('/revoke/code', { browser: browserValue });
  expect(lastValue('revocations.sendCode')).toBe(browserValue);
  const answer = await post('/revoke/code', {});
  const [cookie = ''] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^rubrica-revoke=.*; SameSite=Strict; HttpOnly$/);
  const proof = { code: '048213', reason: 'unspecified' };
  await post('/revoke', proof, { cookie: cookie.split(';')[0] ?? '' });
  expect(lastValue('revocations.revoke')).toBe(lastValue('revocations.sendCode'));
});

test('a certificate that was revoked before is said to be, once the code is right', async () => {
  const page = await browser.page();
  await page.goto(`${gateway.url}/revoke?lang=es`);
  await name(page, 'EEEE');
  await page.fill('#code', '048213');
  await page.check('[value=unspecified]');
  await submit(page);
  expect(await titleOf(page)).toBe('Este certificado ya estaba revocado');
});

test('what cannot be a serial number is said beside its field, and nothing is sent', async () => {
  const before = asked('revocations.sendCode').length;
  const page = await browser.page();
  await page.goto(`${gateway.url}/revoke?lang=es`);
  await name(page, 'no es un número');
  expect(await page.locator('#serialNumber-fault').textContent()).toContain('número de serie');
  expect(await page.inputValue('#identificationNumber')).toBe('1710034065');
  expect(asked('revocations.sendCode')).toHaveLength(before);
});

test('a form of another site is refused', async () => {
  const answer = await fetch(`${gateway.url}/revoke/code`, {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'identificationNumber=1710034065&serialNumber=4AB1',
  });
  expect(answer.status).toBe(403);
});
