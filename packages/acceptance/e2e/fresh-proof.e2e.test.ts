import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser } from '@rubrica/testkit/browser';
import { afterEach, expect, it } from 'vitest';
import { visitConsole } from './support/console-visitor.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));

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
