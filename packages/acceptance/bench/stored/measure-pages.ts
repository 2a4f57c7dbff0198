import { openBrowser, type Page } from '@rubrica/testkit/browser';
import type { Client } from 'pg';
import { median } from '../statistics.ts';
import type { StoredStack } from './stored-stack.ts';

/** What the console's lists take with so many rows behind them. */
export interface MeasuredPage {
  readonly name: string;
  /** From the call of the address to the first row, milliseconds: with nothing cached, and the median of later loads. */
  readonly firstRowsMs: { readonly cold: number; readonly warm: number };
  /** From the key to the rows of the next page, milliseconds, the median. */
  readonly nextPageMs: number;
  /** While it is scrolled and turned: the longest time between two frames, milliseconds. */
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

/** Lets so many of the newest stored requests wait for a reviewer. */
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

/** In a real Chromium, signed in as a reviewer. */
export async function measurePages({ info }: Pick<StoredStack, 'info'>): Promise<MeasuredPage[]> {
  await using browser = await openBrowser();
  const measured: MeasuredPage[] = [];
  for (const { name, path } of lists) {
    const page = await browser.page({ size: wide, language: 'en' });
    await page.addInitScript(noteFirstRow);
    await signIn(page, info);
    const times: number[] = [];
    for (let load = 0; load < loads; load += 1) times.push(await firstRows(page, info.consoleUrl + path));
    const { nextPageMs, longestFrameMs } = await scrollAndTurn(page);
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

/** In the page, before its own scripts. */
const noteFirstRow = `new MutationObserver((_, observer) => {
  if (document.querySelector('tbody tr') === null) return;
  globalThis.firstRowAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })`;

async function firstRows(page: Page, address: string): Promise<number> {
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
/** Rows are links to what they show. */
const firstLink = 'tbody tr:first-child a';

async function scrollAndTurn(page: Page): Promise<{ nextPageMs: number; longestFrameMs: number }> {
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
