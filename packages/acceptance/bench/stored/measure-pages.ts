import { openBrowser, type Page } from '@rubrica/testkit/browser';
import type { Client } from 'pg';
import { median } from '../statistics.ts';
import type { StoredStack } from './stored-stack.ts';

/** Times of one list of the console with the stored rows. */
export interface MeasuredPage {
  readonly name: string;
  /** Milliseconds from opening the address to the first row: with an empty cache, and the median of later loads. */
  readonly firstRowsMs: { readonly cold: number; readonly warm: number };
  /** Median milliseconds from the key press to the rows of the next page. */
  readonly nextPageMs: number;
  /** Longest time between two frames during scrolling and paging, in milliseconds. */
  readonly longestFrameMs: number;
}

const lists = [
  { name: 'review queue', path: '/review' },
  { name: 'requests', path: '/requests' },
  { name: 'requests of one state', path: '/requests?status=REFUSED' },
  { name: 'requests by a name', path: '/requests?name=maria' },
  { name: 'certificates', path: '/certificates' },
] as const;

const loads = 5;
const turns = 10;
const wide = [1440, 900] as const;

/** Makes this number of the newest stored requests wait for a reviewer. */
export async function fillQueue(client: Client, count: number): Promise<void> {
  await client.query(
    `update intake.request set status = 'VALIDATING', validation_status = 'MANUALLY_VALIDATING',
      review_policy = 'manual', review_reason = 'POLICY', review_since = created_at
    where id in (select id from intake.request where status = 'GENERATED' and reference_transaction like 'STORED-%'
      order by created_at desc limit $1)`,
    [count],
  );
  await client.query('vacuum analyze intake.request');
}

/** Measures in a real Chromium, signed in as a reviewer. */
export async function measurePages({ info }: Pick<StoredStack, 'info'>): Promise<MeasuredPage[]> {
  await using browser = await openBrowser();
  const measured: MeasuredPage[] = [];
  for (const { name, path } of lists) {
    const page = await browser.page({ size: wide, language: 'en' });
    await page.addInitScript(noteFirstRow);
    await signIn(page, info);
    const times: number[] = [];
    for (let load = 0; load < loads; load += 1) times.push(await loadFirstRows(page, info.consoleUrl + path));
    const { nextPageMs, longestFrameMs } = await scrollAndPage(page);
    const [cold = 0, ...warm] = times;
    measured.push({ name, firstRowsMs: { cold, warm: median(warm) }, nextPageMs, longestFrameMs });
    await browser.closePages();
  }
  return measured;
}

async function signIn(page: Page, { consoleUrl, operators }: StoredStack['info']): Promise<void> {
  await page.goto(consoleUrl);
  await page.fill('input[type=email]', operators.reviewer.email);
  await page.fill('input[type=password]', operators.reviewer.password);
  await page.click('button[type=submit]');
  await page.waitForSelector('nav a');
}

/** Script in the page, before its own scripts. */
const noteFirstRow = `new MutationObserver((_, observer) => {
  if (document.querySelector('tbody tr') === null) return;
  globalThis.firstRowAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })`;

async function loadFirstRows(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await page.waitForSelector('tbody tr');
  return page.evaluate('globalThis.firstRowAt');
}

const watchFrames = `
globalThis.longestFrameMs = 0;
let last = performance.now();
requestAnimationFrame(function frame(now) {
  globalThis.longestFrameMs = Math.max(globalThis.longestFrameMs, now - last);
  last = now;
  requestAnimationFrame(frame);
})`;
/** Rows link to their details. */
const firstLink = 'tbody tr:first-child a';

async function scrollAndPage(page: Page): Promise<{ nextPageMs: number; longestFrameMs: number }> {
  await page.evaluate(watchFrames);
  await page.mouse.move(700, 500);
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    for (let step = 0; step < 5; step += 1) await page.mouse.wheel(0, 400);
    if ((await page.getByRole('button', { name: 'Next page' }).count()) === 0) break;
    const before = await page.getAttribute(firstLink, 'href');
    const startedAt = performance.now();
    await page.keyboard.press('n');
    await page.waitForSelector(`${firstLink}:not([href="${before}"])`);
    times.push(performance.now() - startedAt);
  }
  return { nextPageMs: median(times), longestFrameMs: await page.evaluate('globalThis.longestFrameMs') };
}
