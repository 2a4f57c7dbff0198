import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderMail } from '../src/mail/render-mail.ts';
import { allTemplates, kinds } from '../src/message/kinds.ts';

let browser: Browser;

beforeAll(async () => {
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update'];
  browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-sync', ...quiet],
  });
}, 60_000);
afterAll(() => browser?.close());

const message = {
  language: 'es',
  applicantName: 'María José Ñúñez Pazmiño',
  // As long as a name may be, and nowhere to break it.
  partnerName: `Cooperativa${'andina'.repeat(14)}`,
  expiresAt: '2027-01-10T04:30:00.000Z',
} as const;
const context = { baseUrl: 'https://firmas.example.org', timeZone: 'America/Guayaquil' };

const cases = allTemplates.flatMap((template) =>
  [390, 1_280].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ template, width, colorScheme })),
  ),
);

/** A mail is shown inside a page that has the landmarks. */
const violations = `axe
  .run({ rules: { 'landmark-one-main': { enabled: false }, region: { enabled: false } } })
  .then((result) => result.violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;

describe('a mail in a browser', () => {
  it.each(cases)('$template fits $width px and can be read in the $colorScheme', async (given) => {
    const { template, width, colorScheme } = given;
    const secret = kinds[template] === 'code' ? '482913' : 'kJ8s7dGd0q3lZ9xW2vB5nM1aQ4rT6yU8iO0pL3kJ7hG';
    const { html } = renderMail({ ...message, template }, { ...context, secret });
    await using page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
    await page.setContent(html);
    // Scripts as text: this package knows no DOM.
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.evaluate(axe.source);
    expect(await page.evaluate(violations)).toEqual([]);
    const button = page.locator('a.button');
    if ((await button.count()) > 0) {
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    }
  });
});
