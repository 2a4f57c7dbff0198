import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser } from '@rubrica/testkit/browser';
import { afterEach, expect, it } from 'vitest';
import { type ConsoleVisitor, visitConsole } from './support/console-visitor.ts';
import { operatorActor } from './support/operator-actor.ts';
import { until } from './support/poll.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

/** Needs manual review, in every family. */
const identificationNumber = '2450001504';
const password = 'Clave larga 1.~';

/** What asks anew every few seconds never does: what appears was told of. */
const withoutTimers = `{
  const later = globalThis.setTimeout;
  globalThis.setTimeout = (run, ms, ...rest) => (ms >= 4000 ? 0 : later(run, ms, ...rest));
  globalThis.setInterval = () => 0;
}`;

const scene = await closeAfterAll(joinScene());
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));

async function waitingForReview() {
  const accepted = await scene.partners.other.accepted({ identificationNumber, password });
  await until('its review', async () => {
    const { validationStatus } = await scene.partners.other.view(accepted.reference);
    return validationStatus === 'MANUALLY_VALIDATING' || undefined;
  });
  return accepted;
}

type Page = ConsoleVisitor['page'];

const streamOf = (page: Page) => page.waitForResponse((answer) => answer.url().endsWith('/live'));

/** Signed in, at a page that has no timers and hears what happens. */
async function follower(operator: 'reviewer' | 'reviewer2' | 'viewer', path: string) {
  const visitor = await visitConsole(browser, scene.stack.info(), { language: 'en', size: [1360, 900] });
  await visitor.page.context().addInitScript(withoutTimers);
  await visitor.signIn(operator);
  const stream = streamOf(visitor.page);
  await visitor.open(path);
  expect((await stream).headers()['content-type']).toBe('text/event-stream');
  await visitor.settled();
  return visitor;
}

it('a new request appears in the queue by itself, in every tab of a browser, which has one stream for all', async () => {
  const visitor = await follower('reviewer', '/review');
  const { page } = visitor;
  const second = await page.context().newPage();
  let streams = 0;
  second.on('request', (request) => {
    streams += request.url().endsWith('/live') ? 1 : 0;
  });
  await second.goto(page.url());
  await second.waitForSelector('h1');
  const first = await waitingForReview();
  for (const tab of [page, second]) await tab.getByRole('link', { name: first.reference }).waitFor();
  expect(streams).toBe(0);

  // The tab that had the stream is gone: the other one takes its place.
  const stream = streamOf(second);
  await page.close();
  await stream;
  const next = await waitingForReview();
  await second.getByRole('link', { name: next.reference }).waitFor();
  expect(visitor.complaints).toEqual([]);
});

it('a reviewer sees a colleague come to the same case, and go, without loading the page again', async () => {
  const { requestId } = await waitingForReview();
  const first = await follower('reviewer', `/review/${requestId}`);
  const second = await follower('reviewer2', `/review/${requestId}`);
  const { email } = scene.stack.info().operators.reviewer2;
  const also = first.page.getByText(`Also open with ${email}.`);
  await also.waitFor();
  await second.page.getByRole('link', { name: 'Overview' }).click();
  await also.waitFor({ state: 'detached' });
  expect([...first.complaints, ...second.complaints]).toEqual([]);
});

it("a request's page follows it to its end", async () => {
  const { requestId } = await waitingForReview();
  const visitor = await follower('viewer', `/requests/${requestId}`);
  const reviewer = await operatorActor(scene.stack.info(), 'reviewer');
  await reviewer.call('reviews.reject', { requestId, codes: ['SELFIE_MISMATCH'] });
  await visitor.page.getByRole('listitem').getByText('Refused').first().waitFor();
  expect(visitor.complaints).toEqual([]);
});

it('a page shows the sign-in as soon as its session has been ended elsewhere', async () => {
  const there = await follower('viewer', '/requests');
  const here = await follower('viewer', '/account');
  await here.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await here.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  for (const { page } of [here, there]) await page.waitForSelector('input[type=password]');
  expect([...here.complaints, ...there.complaints]).toEqual([]);
});
