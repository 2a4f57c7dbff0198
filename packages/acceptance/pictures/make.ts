import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxPeople } from '@rubrica/sdk';
import type { StackInfo } from '@rubrica/stack';
import { startPartner } from '@rubrica/testkit';
import { openBrowser, type Page, type TestBrowser } from '@rubrica/testkit/browser';
import { until } from '../e2e/support/poll.ts';
import { projectRoot } from '../e2e/support/shell.ts';

/** Renews the pictures of the README from the stack that `npm start` runs. */

const maxBytes = 150_000;
const stackFile = join(process.env.RUBRICA_HOME ?? join(projectRoot, '.rubrica'), 'stack.json');
const info = JSON.parse(await readFile(stackFile, 'utf8')) as StackInfo;

await using browser = await openBrowser();
await registerRequests();
await save(await openClaim(browser), 'claim');
await save(await openConsole(browser), 'console');

async function registerRequests(): Promise<void> {
  await using partner = await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox });
  for (let count = 0; count < 12; count += 1) {
    const { sent } = await partner.register();
    await partner.event(sent.referenceTransaction);
  }
  const mismatch = { identificationNumber: sandboxPeople.fingerCodeMismatch, fingerCode: 'A1234B5678' };
  const { sent: faulty } = await partner.register(mismatch);
  await partner.event(faulty.referenceTransaction);
  const { sent: reviewed } = await partner.register({ identificationNumber: sandboxPeople.needsReview });
  await until('the review', async () => {
    const { body } = await partner.status(reviewed.referenceTransaction);
    return body.validationStatus === 'MANUALLY_VALIDATING' || undefined;
  });
}

async function openConsole(window: TestBrowser): Promise<Page> {
  const page = await window.page({ size: [1280, 800], language: 'en' });
  const { email, password } = info.operators.reviewer;
  await page.goto(info.consoleUrl);
  await page.fill('input[type=email]', email);
  await page.fill('input[type=password]', password);
  await page.click('button[type=submit]');
  await page.waitForSelector('nav');
  await page.waitForSelector('h1');
  // A tile shows a dash until its service has answered.
  await page.waitForFunction("!document.querySelector('main')?.innerText.includes('–\\n')");
  return page;
}

async function openClaim(window: TestBrowser): Promise<Page> {
  await using partner = await startPartner({ baseUrl: info.baseUrl, partner: info.partners.otp });
  const email = `maria.${Date.now()}@example.com`;
  await partner.register({ email, password: undefined });
  const link = await until('the claim mail', async () => {
    const answer = await fetch(`${info.mailUrl}/messages?${new URLSearchParams({ to: email })}`);
    const [mail] = (await answer.json()) as { readonly text: string }[];
    return /http\S+\/claim\/[\w-]+/.exec(mail?.text ?? '')?.[0];
  });
  const page = await window.page({ size: [390, 700], language: 'en' });
  await page.goto(link);
  await page.waitForSelector('#send');
  return page;
}

/**
 * Saves a picture.
 * @throws Error if it is larger than the repository allows
 */
async function save(page: Page, name: string): Promise<void> {
  const path = join(import.meta.dirname, `${name}.png`);
  await page.screenshot({ path });
  const { size } = await stat(path);
  if (size > maxBytes) throw new Error(`${path} has ${size} bytes, more than ${maxBytes}`);
  process.stdout.write(`${path}: ${size} bytes\n`);
}
