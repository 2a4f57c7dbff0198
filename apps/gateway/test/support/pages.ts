import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { accessibilityFaults, type Page, type TestBrowser } from '@rubrica/testkit/browser';
import { expect } from 'vitest';

/** `SCREENSHOTS=folder` keeps pictures of every state for a person to look at. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** How people come: size, language, colours, and a browser that runs no scripts. */
export const ways = [
  { size: [390, 844], language: 'es', scheme: 'light', javaScript: true },
  { size: [390, 844], language: 'en', scheme: 'dark', javaScript: false },
  { size: [1280, 900], language: 'en', scheme: 'light', javaScript: true },
  { size: [1280, 900], language: 'es', scheme: 'dark', javaScript: true },
  { size: [375, 667], language: 'es', scheme: 'light', javaScript: true },
  { size: [320, 640], language: 'es', scheme: 'light', javaScript: false },
] as const;
export type Way = (typeof ways)[number];
export function getPartnerName({ size, language, scheme, javaScript }: Way) {
  return `${size[0]} ${language} ${scheme} ${javaScript ? 'script' : 'bare'}`;
}

interface Shown {
  readonly browser: TestBrowser;
  readonly page: Page;
  readonly way: Way;
  readonly name: string;
}

/**
 * Runs axe on what a page without scripts has become. axe itself needs scripts, so a second browser gets that markup from
 * the same address, with the style sheet of the service. The reload is left out: a link does the same by hand.
 */
async function faultsOf({ browser, page, way }: Shown): Promise<string[]> {
  if (way.javaScript) return accessibilityFaults(page);
  const bare = await page.content();
  const body = bare
    .replace(/<\/?noscript>/g, '')
    .replace(/<meta http-equiv="refresh"[^>]*>/, '')
    .replace(/<script[^>]*>.*?<\/script>/s, '');
  const twin = await browser.page({ ...way, javaScript: true });
  await twin.route(page.url(), (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
  await twin.goto(page.url());
  const faults = await accessibilityFaults(twin);
  await twin.context().close();
  return faults;
}

/** Axe finds nothing, nothing is cut off, and every target meets a thumb. */
export async function expectUsable(shown: Shown): Promise<void> {
  const { page, name } = shown;
  // What a state is known by may be there before the rest of the page.
  await page.waitForLoadState();
  await picture(page, name.replaceAll(' ', '-'));
  expect(await faultsOf(shown)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  const low = await page
    .locator('button:visible, .button:visible, input[type=text]:visible, .check:visible, nav a')
    .evaluateAll(
      (all) =>
        (all as { getBoundingClientRect(): { height: number } }[]).filter(
          (one) => one.getBoundingClientRect().height < 44,
        ).length,
    );
  expect(low).toBe(0);
}
