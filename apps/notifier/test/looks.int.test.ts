import { disposeAfterAll } from '@rubrica/testkit';
import { accessibilityFaults, openBrowser, type Page } from '@rubrica/testkit/browser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderMail } from '../src/applicant-messages/render-mail.ts';
import { allTemplates, secretPurpose, templateKinds } from '../src/applicant-messages/template-kinds.ts';

const browser = await disposeAfterAll(openBrowser());

const message = {
  language: 'es',
  applicantName: 'María José Ñúñez Pazmiño',
  // As long as a name may be, and nowhere to break it.
  partnerName: `Cooperativa${'andina'.repeat(14)}`,
  expiresAt: '2027-01-10T04:30:00.000Z',
  certificate: {
    subscriberName: 'María José Ñúñez Pazmiño',
    serialNumber: '5F3A9C0E7B1D4826A1C39E40D7F25B86',
    daysLeft: 15,
  },
} as const;
const secrets = { code: '482913', letter: 'kJ8s7dGd0q3lZ9xW2vB5nM1aQ4rT6yU8iO0pL3kJ7hG' } as const;
const context = { baseUrl: 'https://firmas.example.org', timeZone: 'America/Guayaquil' };

const windows = [390, 1_280].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
);

describe.each(windows)('a mail in a browser of $width px, $scheme', ({ width, scheme }) => {
  let page: Page;
  beforeAll(async () => {
    page = await browser.page({ size: [width, 844], scheme });
  });
  afterAll(() => browser.closePages());

  it.each(allTemplates)('%s fits and can be read', async (template) => {
    const secret = secretPurpose(template) && secrets[templateKinds[template]];
    const { html } = renderMail({ ...message, template }, { ...context, secret });
    await page.setContent(html);
    // As text: this package knows no DOM.
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    // A mail is shown inside a page that has the landmarks.
    expect(await accessibilityFaults(page, ['landmark-one-main', 'region'])).toEqual([]);
    const button = page.locator('a.button');
    if ((await button.count()) > 0) {
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    }
  });
});
