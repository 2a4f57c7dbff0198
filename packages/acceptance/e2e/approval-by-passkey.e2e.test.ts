import type { StackInfo } from '@rubrica/stack';
import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser } from '@rubrica/testkit/browser';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type ConsoleVisitor, visitConsole } from './support/console-visitor.ts';
import { invitedAdministrator } from './support/invited-administrator.ts';
import { byTwoAdministrators, operatorActor } from './support/operator-actor.ts';
import { provePassword } from './support/prove-password.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';
import { giveAuthenticator } from './support/virtual-authenticator.ts';

/** Administrators of their own: whoever has a passkey approves by it, and the stack's others have none. */
const administrators: StackInfo[] = [];

async function administrator(): Promise<StackInfo> {
  const info = await invitedAdministrator(scene.stack.info());
  administrators.push(info);
  return info;
}

const scene = await closeAfterAll(joinScene());
const browser = await disposeAfterAll(openBrowser());
const proposer = await administrator();

afterEach(({ task }) => browser.closePages(task));
afterAll(async () => {
  const admin = await operatorActor(scene.stack.info(), 'admin');
  for (const info of administrators) {
    const actor = await operatorActor(info, 'admin');
    const { operator } = await actor.call('auth.sessions', {});
    await admin.call('operators.disable', { operatorId: operator.operatorId });
  }
});

/** At the console with a passkey of theirs. */
async function visitWithPasskey(info: StackInfo): Promise<ConsoleVisitor> {
  const visitor = await visitConsole(browser, info, { language: 'en' });
  await giveAuthenticator(visitor.page);
  await visitor.signIn('admin');
  await visitor.open('/account');
  await visitor.page.getByRole('button', { name: 'Add a passkey' }).click();
  await provePassword(visitor.page, info.operators.admin.password);
  await visitor.page.getByText('The passkey was added').waitFor();
  await visitor.page.addInitScript(`
    const get = navigator.credentials.get.bind(navigator.credentials);
    globalThis.signatures = 0;
    navigator.credentials.get = (options) => { globalThis.signatures += 1; return get(options); };
  `);
  return visitor;
}

const signatures = ({ page }: ConsoleVisitor) => page.evaluate('globalThis.signatures');

/** An invitation that an attacker has proposed in the name of an administrator. */
async function proposeInvitation() {
  const proposing = await operatorActor(proposer, 'admin');
  const email = `attacker.${crypto.randomUUID().slice(0, 8)}@firmas.example`;
  const invitation = { email, role: 'admin', language: 'en' } as const;
  const { approvalId = '' } = (await proposing.call('operators.invite', invitation)) as {
    readonly approvalId?: string;
  };
  const isWaiting = async () => {
    const { items } = await proposing.call('approvals.list', { limit: 100 });
    return items.some(({ id }) => id === approvalId);
  };
  return { approvalId, isWaiting, reject: () => proposing.call('approvals.reject', { id: approvalId }) };
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
  return { approvalId, policy, reject: () => proposing.call('approvals.reject', { id: approvalId }) };
}

const press = async ({ page }: ConsoleVisitor) => {
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
};

it('an administrator who has a passkey approves a change of a partner by it, and not by the session alone', async () => {
  const approver = await administrator();
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

describe('a gateway that is broken into', () => {
  it('gets no signature where it shows one change and passes on the challenge of another', async () => {
    const shown = await proposeUpdate('Shown');
    const hidden = await proposeInvitation();
    const visitor = await visitWithPasskey(await administrator());
    const { page } = visitor;
    const diverted: string[] = [];
    for (const path of ['approvals.passkeyOptions', 'approvals.approve'])
      await page.route(`**/trpc/${path}`, (route) => {
        diverted.push(path);
        const input = route.request().postDataJSON() as object;
        return route.continue({ postData: JSON.stringify({ ...input, id: hidden.approvalId }) });
      });

    await visitor.open(`/approvals/${shown.approvalId}`);
    await page.getByRole('cell', { name: 'automatic' }).waitFor();
    await press(visitor);
    await page.getByText('was not for the change on this page').waitFor();

    expect(diverted).toEqual(['approvals.passkeyOptions']);
    expect(await signatures(visitor)).toBe(0);
    expect(await hidden.isWaiting()).toBe(true);
    expect(await shown.policy()).toBe('four-eyes');
    await shown.reject();
    await hidden.reject();
  });

  it('gets no signature for an approval where it asks for one to sign in', async () => {
    const hidden = await proposeInvitation();
    const approver = await administrator();
    const visitor = await visitWithPasskey(approver);
    const { page } = visitor;
    const approving = await operatorActor(approver, 'admin');
    const { options } = await approving.call('approvals.passkeyOptions', { id: hidden.approvalId });
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.route('**/trpc/auth.passkeyOptions', (route) =>
      route.fulfill({ json: { result: { data: { options } } } }),
    );

    await visitor.open('/');
    await page.getByRole('button', { name: 'With a passkey' }).click();
    await page.getByText('was not for a sign-in').waitFor();

    expect(await signatures(visitor)).toBe(0);
    expect(await hidden.isWaiting()).toBe(true);
    await hidden.reject();
  });

  it('hides nothing of what is signed by what it says beside it', async () => {
    const hidden = await proposeInvitation();
    const visitor = await visitConsole(browser, await administrator(), { language: 'en' });
    const { page } = visitor;
    await visitor.signIn('admin');
    await page.route('**/trpc/*approvals.get*', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({
        response,
        body: text.replaceAll(/"after":{[^{}]*}/g, '"after":{"role":"viewer"}'),
      });
    });

    await visitor.open(`/approvals/${hidden.approvalId}`);
    await page.getByRole('row', { name: /^role .* admin$/ }).waitFor();
    await page.getByText('operators.invite').waitFor();
    expect(await page.getByText('viewer').count()).toBe(0);
    await hidden.reject();
  });
});
