import type { StackInfo } from '@rubrica/stack';
import { openBrowser, type TestBrowser } from '@rubrica/testkit/browser';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type ConsoleVisitor, visitConsole } from './support/console-visitor.ts';
import { invitedAdministrator } from './support/invited-administrator.ts';
import { byTwoAdministrators, operatorActor } from './support/operator-actor.ts';
import { closeUntroubled, joinScene, type Scene } from './support/scene.ts';
import { giveAuthenticator } from './support/virtual-authenticator.ts';

/** Administrators of their own: whoever has a passkey approves by it, and the stack's others have none. */
let scene: Scene;
let browser: TestBrowser;
let proposer: StackInfo;
let approver: StackInfo;
let otherApprover: StackInfo;

beforeAll(async () => {
  scene = await joinScene();
  browser = await openBrowser();
  proposer = await invitedAdministrator(scene.stack.info());
  approver = await invitedAdministrator(scene.stack.info());
  otherApprover = await invitedAdministrator(scene.stack.info());
});
afterEach(({ task }) => browser.closePages(task));
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  const admin = await operatorActor(scene.stack.info(), 'admin');
  for (const info of [proposer, approver, otherApprover]) {
    const actor = await operatorActor(info, 'admin');
    const { operator } = await actor.call('auth.sessions', {});
    await admin.call('operators.disable', { operatorId: operator.operatorId });
  }
  await closeUntroubled(scene);
});

/** At the console with a passkey of theirs. */
async function visitWithPasskey(info: StackInfo): Promise<ConsoleVisitor> {
  const visitor = await visitConsole(browser, info, { language: 'en' });
  await giveAuthenticator(visitor.page);
  await visitor.signIn('admin');
  await visitor.open('/account');
  await visitor.page.getByRole('button', { name: 'Add a passkey' }).click();
  await visitor.page.getByText('The passkey was added').waitFor();
  return visitor;
}

/** A partner that waits for another review policy. */
async function proposeUpdate(name: string) {
  const { id } = await byTwoAdministrators(scene.stack.info(), 'partners.create', {
    name,
    email: 'passkey@partners.rubrica.test',
    reviewPolicy: 'four-eyes',
  });
  const proposing = await operatorActor(proposer, 'admin');
  const { approvalId = '' } = await proposing.call('partners.update', { id, reviewPolicy: 'automatic' });
  const policy = async () => (await proposing.call('partners.get', { id })).reviewPolicy;
  return { approvalId, policy };
}

const press = async ({ page }: ConsoleVisitor) => {
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
};

it('an administrator who has a passkey approves a change of a partner by it, and not by the session alone', async () => {
  const approving = await operatorActor(approver, 'admin');
  const { approvalId, policy } = await proposeUpdate('By passkey');
  const visitor = await visitWithPasskey(approver);

  await expect(approving.call('approvals.approve', { id: approvalId })).rejects.toThrow('PASSKEY_NEEDED');
  expect(await policy()).toBe('four-eyes');

  await visitor.open(`/approvals/${approvalId}`);
  await press(visitor);
  await visitor.page.getByText('The change is made.').waitFor();
  expect(await policy()).toBe('automatic');
  expect(visitor.complaints).toEqual([]);
});

it('a gateway that shows one change and passes on the challenge of another gets no signature', async () => {
  const { approvalId: shown, policy } = await proposeUpdate('Shown');
  const proposing = await operatorActor(proposer, 'admin');
  const email = `attacker.${crypto.randomUUID().slice(0, 8)}@firmas.example`;
  const { approvalId: hidden = '' } = (await proposing.call('operators.invite', {
    email,
    role: 'admin',
    language: 'en',
  })) as { readonly approvalId?: string };
  const visitor = await visitWithPasskey(otherApprover);
  const { page } = visitor;
  await page.addInitScript(`
    const get = navigator.credentials.get.bind(navigator.credentials);
    globalThis.signatures = 0;
    navigator.credentials.get = (options) => { globalThis.signatures += 1; return get(options); };
  `);
  const asked: string[] = [];
  for (const path of ['approvals.passkeyOptions', 'approvals.approve'])
    await page.route(`**/trpc/${path}`, (route) => {
      asked.push(path);
      const input = route.request().postDataJSON() as object;
      return route.continue({ postData: JSON.stringify({ ...input, id: hidden }) });
    });

  await visitor.open(`/approvals/${shown}`);
  await page.getByRole('cell', { name: 'automatic' }).waitFor();
  await press(visitor);
  await page.getByText('was not for the change on this page').waitFor();

  expect(asked).toEqual(['approvals.passkeyOptions']);
  expect(await page.evaluate('globalThis.signatures')).toBe(0);
  const { items } = await proposing.call('approvals.list', { limit: 100 });
  expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([shown, hidden]));
  expect(await policy()).toBe('four-eyes');
  await proposing.call('approvals.reject', { id: hidden });
  await proposing.call('approvals.reject', { id: shown });
});
