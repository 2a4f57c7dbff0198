import { readFile } from 'node:fs/promises';
import { buildDocsSite } from '@rubrica/build';
import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser } from '@rubrica/testkit/browser';
import { afterEach, expect, test } from 'vitest';
import { claimView, issued } from './support/fake-claims.ts';
import { testGateway } from './support/gateway.ts';
import { expectUsable, getPartnerName, ways } from './support/pages.ts';

const results = new URL('../../../packages/docs/src/content/program-results.json', import.meta.url);
const table: readonly { readonly name: string; readonly passed: number; readonly failed: number }[] =
  JSON.parse(await readFile(results, 'utf8'));
const gateway = await disposeAfterAll(testGateway({ DOCS_SITE: await buildDocsSite() }));
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));

test('the table that the page is written from has no failed line, and text for each program in both languages', async () => {
  expect(table.length).toBeGreaterThan(8);
  expect(table.filter(({ passed, failed }) => failed > 0 || passed === 0)).toEqual([]);
  for (const [language, words] of [
    ['es', 'pruebas, todas bien'],
    ['en', 'checks, all well'],
  ]) {
    const answer = await fetch(`${gateway.url}/docs/programs?lang=${language}`);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-language')]).toEqual([200, language]);
    for (const { name, passed } of table) {
      const shown = page.match(new RegExp(`<dt>${name.replaceAll(/[()]/g, '\\$&')}</dt><dd>([^<]*)`))?.[1];
      expect(shown).toMatch(new RegExp(`^.{20,}: ${passed} ${words}\\.$`));
    }
    for (const where of ['Windows', 'macOS', 'Firefox', 'Adobe Acrobat', 'FirmaEC'])
      expect(page).toContain(`<dt>${where}</dt>`);
    expect(page).not.toContain('undefined');
    // Subscribers come first: whoever runs a server reads on.
    expect(page.indexOf('id="limits"')).toBeLessThan(page.indexOf('id="engineers"'));
    for (const name of ['gpgsm 2.2.40', 'Mono', 'Heimdal', 'x/crypto', 'Android', 'iOS', 'macOS'])
      expect(page.slice(page.indexOf('id="limits"'), page.indexOf('id="engineers"'))).toContain(name);
    for (const text of ['-use_deltas', 'CRL_SHARDS', 'NSS, GnuPG', 'archiveCutoff'])
      expect(page.slice(page.indexOf('id="engineers"'))).toContain(text);
    expect(page).not.toMatch(/declara un propósito|states no purpose/);
  }
});

test('without a choice it comes in the language that the browser prefers', async () => {
  const inLanguage = async (accepted: string) =>
    (await fetch(`${gateway.url}/docs/programs`, { headers: { 'accept-language': accepted } })).headers.get(
      'content-language',
    );
  expect([await inLanguage('en-GB'), await inLanguage('fr'), await inLanguage('es-EC')]).toEqual([
    'en',
    'es',
    'es',
  ]);
});

test.each(ways.map((way) => ({ name: getPartnerName(way), way })))(
  'the last page of a claim links to it, and it can be used: $name',
  async ({ name, way }) => {
    gateway.state.claim.view = claimView(issued());
    const page = await browser.page(way);
    await page.goto(`${gateway.url}/claim/${gateway.state.claim.token}?lang=${way.language}`);
    await page.click('a[href^="/docs/programs"]');
    await page.waitForURL(`**/docs/programs?lang=${way.language}`);
    expect(await page.locator('html').getAttribute('lang')).toBe(way.language);
    await expectUsable({ browser, page, way, name: `programs ${name}` });
  },
);
