import type { StackInfo } from '@rubrica/stack';
import { openBrowser, type TestBrowser } from '@rubrica/testkit/browser';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { visitConsole } from './support/console-visitor.ts';
import { invitedAdministrator } from './support/invited-administrator.ts';
import { byTwoAdministrators, operatorActor } from './support/operator-actor.ts';
import { closeUntroubled, joinScene, type Scene } from './support/scene.ts';
import { giveAuthenticator } from './support/virtual-authenticator.ts';

/** Two administrators of their own: whoever has a passkey approves by it, and the stack's others have none. */
let scene: Scene;
let browser: TestBrowser;
let proposer: StackInfo;
let approver: StackInfo;

beforeAll(async () => {
  scene = await joinScene();
  browser = await openBrowser();
  proposer = await invitedAdministrator(scene.stack.info());
  approver = await invitedAdministrator(scene.stack.info());
});
afterEach(({ task }) => browser.closePages(task));
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  const admin = await operatorActor(scene.stack.info(), 'admin');
  for (const info of [proposer, approver]) {
    const actor = await operatorActor(info, 'admin');
    const { operator } = await actor.call('auth.sessions', {});
    await admin.call('operators.disable', { operatorId: operator.operatorId });
  }
  await closeUntroubled(scene);
});

it('an administrator who has a passkey approves a change of a partner by it, and not by the session alone', async () => {
  const { id } = await byTwoAdministrators(scene.stack.info(), 'partners.create', {
    name: 'By passkey',
    email: 'passkey@partners.rubrica.test',
    reviewPolicy: 'four-eyes',
  });
  const proposing = await operatorActor(proposer, 'admin');
  const approving = await operatorActor(approver, 'admin');
  const policy = async () => (await proposing.call('partners.get', { id })).reviewPolicy;
  const { approvalId = '' } = await proposing.call('partners.update', { id, reviewPolicy: 'automatic' });

  const visitor = await visitConsole(browser, approver, { language: 'en' });
  await giveAuthenticator(visitor.page);
  await visitor.signIn('admin');
  await visitor.open('/account');
  await visitor.page.getByRole('button', { name: 'Add a passkey' }).click();
  await visitor.page.getByText('The passkey was added').waitFor();

  await expect(approving.call('approvals.approve', { id: approvalId })).rejects.toThrow('PASSKEY_NEEDED');
  expect(await policy()).toBe('four-eyes');

  await visitor.open(`/approvals/${approvalId}`);
  await visitor.page.getByRole('button', { name: 'Approve' }).click();
  await visitor.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await visitor.page.getByText('The change is made.').waitFor();
  expect(await policy()).toBe('automatic');
  expect(visitor.complaints).toEqual([]);
});
