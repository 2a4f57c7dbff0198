import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser } from '@rubrica/testkit/browser';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { visitConsole } from './support/console-visitor.ts';
import { byTwoAdministrators, operatorActor } from './support/operator-actor.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const identificationNumber = '2450010000';
const password = 'Clave larga 1.~';

const scene = await closeAfterAll(joinScene());
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));

const visit = (options?: Parameters<typeof visitConsole>[2]) =>
  visitConsole(browser, scene.stack.info(), options);

/** The `other` partner's record. */
async function otherPartner() {
  const admin = await operatorActor(scene.stack.info(), 'admin');
  const { items } = await admin.call('partners.list', { limit: 100 });
  const found = items.find(({ clientId }) => clientId === scene.stack.info().partners.other.clientId);
  if (found === undefined) throw new Error('the partner is not in the list');
  return found;
}

/** As it was, if it was changed. */
async function restoreEmail({ id, email }: { readonly id: string; readonly email: string }): Promise<void> {
  if ((await otherPartner()).email === email) return;
  await byTwoAdministrators(scene.stack.info(), 'partners.update', { id, email });
}

describe("a change of a partner's settings that loosens a rule", () => {
  it('is proposed by one administrator, seen before and after and approved by another, and by no one alone', async () => {
    const { id, name, email } = await otherPartner();
    // Not in a `finally`: what fails there would hide what failed here.
    onTestFinished(() => restoreEmail({ id, email }));
    const [first, second] = [await visit({ language: 'en' }), await visit({ language: 'en' })];
    await first.signIn('admin');
    await first.open(`/partners/${id}`);
    await first.page.getByRole('button', { name: 'Change settings' }).click();
    const dialog = first.page.getByRole('dialog');
    await dialog.getByLabel('E-mail of its notices').fill('moved@partner.example');
    await dialog.getByLabel('Reason').fill('their mail has moved');
    await dialog.getByRole('button', { name: 'Change settings' }).click();
    await first.page.getByText('Waits for a second administrator', { exact: true }).first().waitFor();
    expect(await first.page.getByText(email).count()).toBe(1);

    await first.open('/approvals');
    await first.page.getByRole('row', { name: name }).getByRole('link').first().click();
    const own = first.page.getByRole('button', { name: 'Approve', disabled: true });
    await own.waitFor();
    expect(await own.getAttribute('title')).toBe('You proposed this: another administrator has to decide.');

    await second.signIn('admin2');
    await second.open('/approvals');
    await second.page.getByRole('row', { name: name }).getByRole('link').first().click();
    const change = second.page.getByRole('row', { name: 'email' });
    await change.waitFor();
    expect(await change.getByRole('cell').allTextContents()).toEqual([email, 'moved@partner.example']);
    await second.screenshot('approval-before-and-after');
    await second.page.getByRole('button', { name: 'Approve' }).click();
    await second.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await second.page.waitForURL('**/approvals');

    await first.open(`/partners/${id}`);
    await first.page.getByText('moved@partner.example').waitFor();
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });
});

describe('a row of a list', () => {
  it('stays where it is when the page is drawn again, so that a press on it is not lost', async () => {
    const visitor = await visit({ language: 'en' });
    await visitor.signIn('viewer');
    await visitor.open('/partners');
    const link = await visitor.page.locator('tbody a').first().elementHandle();
    await visitor.page.getByRole('button', { name: 'Español' }).click();
    await visitor.page.getByRole('columnheader', { name: 'Nombre' }).waitFor();
    expect(await link?.isVisible()).toBe(true);
  });
});

describe("a change of a partner's name", () => {
  it('is taken back from its toast: it takes one administrator in both directions', async () => {
    const { id, name } = await otherPartner();
    const visitor = await visit({ language: 'en' });
    await visitor.signIn('admin');
    await visitor.open(`/partners/${id}`);
    await visitor.page.getByRole('button', { name: 'Change settings' }).click();
    const dialog = visitor.page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Cooperativa Renombrada');
    await dialog.getByRole('button', { name: 'Change settings' }).click();
    await visitor.page.getByRole('heading', { name: 'Cooperativa Renombrada' }).waitFor();
    await visitor.page.getByRole('button', { name: 'Undo' }).click();
    await visitor.page.getByRole('heading', { name }).waitFor();
    expect((await otherPartner()).name).toBe(name);
    expect(visitor.complaints).toEqual([]);
  });
});

/** A page of each kind of record, by the role of who looks. */
async function recordPaths(): Promise<readonly string[]> {
  const { requestId, reference } = await scene.partners.sandbox.accepted({ identificationNumber, password });
  await scene.partners.sandbox.reaches(reference, 'GENERATED');
  const admin = await operatorActor(scene.stack.info(), 'admin');
  const certificates = await admin.call('certificates.search', { requestId });
  const deliveries = await admin.call('deliveries.search', { requestId });
  const terms = await admin.call('terms.list', {});
  const { id: partnerId } = await otherPartner();
  return [
    `/requests/${requestId}`,
    `/certificates/${certificates.items[0]?.id}`,
    `/deliveries/${deliveries.items[0]?.id}`,
    `/partners/${partnerId}`,
    `/terms/${terms.items[0]?.id}`,
    '/destinations',
    '/usage',
  ];
}

describe('the page of a record', () => {
  it.each(['es', 'en'] as const)('is accessible, of each kind, in %s, light and dark', async (language) => {
    const paths = await recordPaths();
    const visitor = await visit({ language });
    await visitor.signIn('admin');
    const admin = await operatorActor(scene.stack.info(), 'admin');
    const { items } = await admin.call('operators.list', {});
    const more = [
      `/operators/${items[0]?.operatorId}`,
      `/holdings?identificationNumber=${identificationNumber}`,
    ];
    const faults: string[] = [];
    for (const path of [...paths, ...more]) {
      await visitor.open(path);
      await visitor.settled();
      const found = await visitor.faultsInBothThemes(`record-${path.split(/[/?]/)[1]}-${language}`);
      faults.push(...found.map((fault) => `${path}: ${fault}`));
    }
    expect(faults).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  it('offers a viewer nothing that changes anything', async () => {
    const visitor = await visit({ language: 'en' });
    await visitor.signIn('viewer');
    for (const path of await recordPaths()) {
      await visitor.open(path);
      await visitor.settled();
      const buttons = await visitor.page.locator('main').getByRole('button').allTextContents();
      const harmless = ['Search', 'Clear', 'Columns', 'Next page', 'First page', 'Copy'];
      expect([path, buttons.filter((text) => !harmless.includes(text))]).toEqual([path, []]);
    }
    expect(visitor.complaints).toEqual([]);
  });
});

describe('the certificates that a search finds', () => {
  it('are revoked once their number is typed and a second administrator agrees, the one who asked being told so', async () => {
    const { requestId, reference } = await scene.partners.sandbox.accepted({
      identificationNumber,
      password,
    });
    await scene.partners.sandbox.reaches(reference, 'GENERATED');
    const visitor = await visit({ language: 'en' });
    await visitor.signIn('admin');
    await visitor.open('/certificates');
    const button = visitor.page.getByRole('button', { name: 'Revoke all found' });
    await button.waitFor();
    expect(await button.getAttribute('title')).toMatch(/^Search first/);

    await visitor.open(`/certificates?requestId=${requestId}`);
    await button.click();
    const dialog = visitor.page.getByRole('dialog');
    await dialog.getByText('Valid certificates found: 1.').waitFor();
    await dialog.getByLabel('How many').fill('1');
    await dialog.getByLabel('Revocation reason').selectOption('superseded');
    await dialog.getByLabel('Reason', { exact: true }).fill('replaced');
    await dialog.getByRole('button', { name: 'Revoke all found' }).click();
    await visitor.page.getByText('Waits for a second administrator', { exact: true }).first().waitFor();

    const admin2 = await operatorActor(scene.stack.info(), 'admin2');
    const { items } = await admin2.call('approvals.list', {});
    const waiting = items.find(({ change }) => change.input.requestId === requestId);
    await admin2.call('approvals.approve', { id: waiting?.id ?? '' });
    await visitor.open(`/certificates?requestId=${requestId}`);
    await visitor.page.getByRole('cell', { name: 'Revoked' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
