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

/** As ten minutes after the sign-in: the first call alone is answered here, and those with a password by the gateway. */
const tooOld = {
  error: {
    message: 'You signed in more than ten minutes ago',
    code: -32_603,
    data: { code: 'FORBIDDEN', httpStatus: 403, appCode: 'FRESH_PROOF_NEEDED', details: [] },
  },
};

it('long after the sign-in the console asks for the password before a factor is enrolled, and the gateway judges it', async () => {
  const { password } = scene.stack.info().operators.viewer;
  const visitor = await visitConsole(browser, scene.stack.info(), { language: 'en' });
  const { page } = visitor;
  await visitor.signIn('viewer');
  await visitor.open('/account');
  await page.route('**/trpc/auth.enrolTotp', (route) => route.fulfill({ json: tooOld }), { times: 1 });
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
