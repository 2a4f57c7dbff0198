import { disposeAfterAll, makePng } from '@rubrica/testkit';
import { openBrowser } from '@rubrica/testkit/browser';
import { afterEach, describe, expect, it } from 'vitest';
import { type ConsoleVisitor, visitConsole } from './support/console-visitor.ts';
import { byTwoAdministrators } from './support/operator-actor.ts';
import { until } from './support/poll.ts';
import { provePassword } from './support/prove-password.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';
import { giveAuthenticator } from './support/virtual-authenticator.ts';

/** Needs manual review, in every family. */
const identificationNumber = '2450001504';
const password = 'Clave larga 1.~';

const scene = await closeAfterAll(joinScene());
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));

const visit = (options?: Parameters<typeof visitConsole>[2]) =>
  visitConsole(browser, scene.stack.info(), options);

/** A request that two reviewers have to approve, with one document. */
async function waitingForFourEyes() {
  const evidences = [{ evidenceFile: makePng(9_000).toString('base64'), evidenceType: 'SELFIE' }];
  const accepted = await scene.partners.other.accepted({ identificationNumber, password, evidences });
  await until('its review', async () => {
    const { validationStatus } = await scene.partners.other.view(accepted.reference);
    return validationStatus === 'MANUALLY_VALIDATING' || undefined;
  });
  return accepted;
}

/** Goes down the list by `j` until the link of the row is the one that is wanted. */
async function goToRow({ page }: ConsoleVisitor, text: string): Promise<void> {
  await until(`the row ${text}`, async () => {
    await page.keyboard.press('j');
    const focused = await page.evaluate('document.activeElement?.textContent');
    return focused === text || undefined;
  });
}

describe('a reviewer', () => {
  it('comes by keyboard alone from the sign-in to a decision, which a second one completes', async () => {
    const { requestId, reference } = await waitingForFourEyes();
    const first = await visit();
    const { email, password: word } = scene.stack.info().operators.reviewer;
    await first.open('/');
    await first.page.keyboard.type(email);
    await first.page.keyboard.press('Tab');
    await first.page.keyboard.type(word);
    await first.page.keyboard.press('Enter');
    await first.page.waitForSelector('nav');
    await first.page.keyboard.press('g');
    await first.page.keyboard.press('q');
    await first.page.waitForSelector('tbody tr');
    await goToRow(first, reference);
    await first.page.keyboard.press('Enter');
    await first.page.waitForURL(`**/review/${requestId}`);
    await first.page.waitForSelector('[role=tab]');
    await first.page.keyboard.press('1');
    const image = await first.page.waitForSelector('img[alt=Selfie]');
    await until('the image', () =>
      image.evaluate((one) => ('naturalWidth' in one && one.naturalWidth) || undefined),
    );
    await first.page.keyboard.press('a');
    await first.page.waitForSelector('[role=dialog] textarea:focus');
    await first.page.keyboard.type('la selfie es del solicitante');
    for (const key of ['Tab', 'Tab', 'Enter']) await first.page.keyboard.press(key);
    // Its own approval stands; the button stays, and says why it is not for this reviewer any more.
    const approve = first.page.getByRole('button', { name: 'Aprobar', disabled: true });
    await approve.waitFor();
    expect(await approve.getAttribute('title')).toBe('Usted ya la aprobó: debe hacerlo otro revisor');

    const second = await visit({ language: 'en' });
    await second.signIn('reviewer2');
    await second.open(`/review/${requestId}`);
    await second.page.getByText('la selfie es del solicitante').first().waitFor();
    await second.page.getByRole('button', { name: 'Approve' }).click();
    await second.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await scene.partners.other.reaches(reference, 'GENERATED');
    await first.page.getByRole('button', { name: 'Rechazar', disabled: true }).waitFor();
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });

  it('who opens a case that a colleague has taken sees whose it is, until the colleague gives it back', async () => {
    const { requestId } = await waitingForFourEyes();
    const [first, second] = [await visit({ language: 'en' }), await visit({ language: 'en' })];
    await first.signIn('reviewer');
    await second.signIn('reviewer2');
    await first.open(`/review/${requestId}`);
    await second.open(`/review/${requestId}`);
    await first.page.getByRole('button', { name: 'Take' }).click();
    await first.page.getByRole('dialog').getByRole('button', { name: 'Take' }).click();
    const { email } = scene.stack.info().operators.reviewer;
    const taken = second.page.getByText(`${email} has taken this case`);
    await taken.waitFor();
    await first.page.getByRole('button', { name: 'Undo' }).click();
    await first.page.getByText('Undone: it is as it was before').waitFor();
    await taken.waitFor({ state: 'detached' });
    await first.page.getByRole('button', { name: 'Take', disabled: false }).waitFor();
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });
});

describe('a viewer', () => {
  it('is offered nothing that would be refused', async () => {
    const { requestId } = await waitingForFourEyes();
    const viewer = await visit({ language: 'en' });
    await viewer.signIn('viewer');
    await viewer.open(`/review/${requestId}`);
    await viewer.page.getByText('are shown to reviewers').waitFor();
    expect(await viewer.page.getByRole('button', { name: /Approve|Reject|correction|Take/ }).count()).toBe(0);
    expect(await viewer.page.locator('nav a').allTextContents()).not.toContain('Approvals');
    expect(viewer.complaints).toEqual([]);
  });
});

describe('a session', () => {
  it('that is ended everywhere ends in every browser', async () => {
    const [here, there] = [await visit({ language: 'en' }), await visit({ language: 'en' })];
    await here.signIn('viewer');
    await there.signIn('viewer');
    await here.open('/account');
    await here.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await here.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await here.page.waitForSelector('input[type=password]');
    await there.open('/requests');
    await there.page.waitForSelector('input[type=password]');
    expect([...here.complaints, ...there.complaints]).toEqual([]);
  });

  it('is not begun by a wrong password, which no browser takes for a fault of the page', async () => {
    const visitor = await visit({ language: 'en' });
    await visitor.open('/requests');
    await visitor.page.fill('input[type=email]', 'viewer@rubrica.test');
    await visitor.page.fill('input[type=password]', 'not the password');
    await visitor.page.click('button[type=submit]');
    await visitor.page.waitForSelector('[role=alert]');
    expect(await visitor.page.context().cookies()).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });
});

describe('an operator who was invited', () => {
  it('chooses a password by the link of the mail, adds a passkey, and signs in by it', async () => {
    const info = scene.stack.info();
    const email = `eva.${crypto.randomUUID().slice(0, 8)}@firmas.example`;
    await byTwoAdministrators(info, 'operators.invite', { email, role: 'viewer', language: 'es' });
    const link = await until('the invitation', async () => {
      const mails = await fetch(`${info.mailUrl}/messages?${new URLSearchParams({ to: email })}`);
      const [mail] = (await mails.json()) as { text: string }[];
      return /http\S+\/invitation#\S+/.exec(mail?.text ?? '')?.[0];
    });
    const visitor = await visit({ language: 'en' });
    await giveAuthenticator(visitor.page);
    await visitor.page.goto(link);
    await visitor.page.getByText(email).waitFor();
    for (const name of ['password', 'repeat'])
      await visitor.page.fill(`input[name=${name}]`, 'un sauce llora en la quebrada 7');
    await visitor.page.click('button[type=submit]');
    await visitor.page.waitForURL(`${info.consoleUrl}/`);
    const add = visitor.page.getByRole('button', { name: 'Add a passkey' });
    await add.or(visitor.page.locator('nav')).first().waitFor();
    // Where a second factor is due, the page that asks for it is all there is.
    if (!(await add.isVisible())) await visitor.open('/account');
    await add.click();
    await provePassword(visitor.page, 'un sauce llora en la quebrada 7');
    await visitor.page.getByText('The passkey was added').waitFor();
    await until('the mail about the passkey', async () => {
      const mails = await fetch(`${info.mailUrl}/messages?${new URLSearchParams({ to: email })}`);
      const texts = ((await mails.json()) as { text: string }[]).map(({ text }) => text);
      return texts.find((text) => text.includes('se agregó una llave de acceso'));
    });
    await visitor.page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await visitor.page.getByRole('button', { name: 'With a passkey' }).click();
    await visitor.page.locator('header').getByText(email).waitFor();
    await visitor.open('/account');
    await visitor.page.getByRole('cell', { name: 'Passkey' }).first().waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

describe('every page', () => {
  it.each(['es', 'en'] as const)(
    'is accessible and keeps to the policy, in %s, light and dark',
    async (language) => {
      const { requestId } = await waitingForFourEyes();
      const visitor = await visit({ language });
      const faults: string[] = [];
      const look = async (path: string) => {
        await visitor.settled();
        const name = `${path.replaceAll('/', '-').slice(1) || 'overview'}-${language}`;
        const found = await visitor.faultsInBothThemes(name);
        const headings = await visitor.page.locator('h1').count();
        if (headings !== 1) found.push(`${headings} headings of the first level`);
        faults.push(...found.map((fault) => `${path}: ${fault}`));
      };
      await visitor.open('/');
      await look('/sign-in');
      await visitor.signIn('admin');
      const links = await visitor.page
        .locator('nav a')
        .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
      expect(links.length).toBeGreaterThan(3);
      const paths = links.flatMap((link) => link ?? []);
      for (const path of [...paths, `/review/${requestId}`, '/nowhere']) {
        await visitor.open(path);
        await look(path.replace(requestId, 'case'));
      }
      expect(faults).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
  );

  it('of the queue can be used on a phone', async () => {
    await waitingForFourEyes();
    const visitor = await visit({ size: [390, 844] });
    await visitor.signIn('reviewer');
    await visitor.open('/review');
    await visitor.settled();
    await visitor.page.waitForSelector('tbody tr');
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await visitor.page.evaluate(overflow)).toBeLessThanOrEqual(0);
    await visitor.screenshot('review-phone');
  });
});
