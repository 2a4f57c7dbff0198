import { openBrowser, type TestBrowser } from '@rubrica/testkit/browser';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { visitConsole } from './support/console-visitor.ts';
import { closeUntroubled, joinScene, type Scene } from './support/scene.ts';

let scene: Scene;
let browser: TestBrowser;

beforeAll(async () => {
  scene = await joinScene();
  browser = await openBrowser();
});
afterEach(({ task }) => browser.closePages(task));
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await closeUntroubled(scene);
});

it('the console asks for the password before a factor is enrolled, and the gateway judges it', async () => {
  const { password } = scene.stack.info().operators.viewer;
  const visitor = await visitConsole(browser, scene.stack.info(), { language: 'en' });
  const { page } = visitor;
  await visitor.signIn('viewer');
  await visitor.open('/account');
  await page.getByRole('button', { name: 'Authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Present password').fill('not the password');
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByText('The current password is not correct').waitFor();
  await dialog.getByLabel('Present password').fill(password);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  expect(visitor.complaints).toEqual([]);
});
