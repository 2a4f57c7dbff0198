import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { disposeAfterAll } from '@rubrica/testkit';
import { accessibilityFaults, openBrowser, type Page, type PageOptions } from '@rubrica/testkit/browser';
import { afterEach, describe, expect, it } from 'vitest';
import { openPkcs12 } from './support/pkcs12.ts';
import { until } from './support/poll.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

/** As many as it may take from the mail to the file. */
const mostTapsAndFields = 9;
const size = [375, 667] as const;
const password = 'caballo bateria grapa';
const scene = await closeAfterAll(joinScene());
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));

interface Message {
  readonly text: string;
  readonly html: string;
}

async function messagesTo(to: string): Promise<Message[]> {
  const { mailUrl } = scene.stack.info();
  return (await (await fetch(`${mailUrl}/messages?${new URLSearchParams({ to })}`)).json()) as Message[];
}

/** A person with a phone, who has just got the mail and reads it in a browser of their own. */
async function applicant(options: PageOptions = {}) {
  const { otp } = scene.partners;
  const email = `lucia.${crypto.randomUUID().slice(0, 8)}@correo.example`;
  const cellphoneNumber = `+5939${String(randomInt(1e8)).padStart(8, '0')}`;
  const { reference } = await otp.accepted({ email, cellphoneNumber, password: undefined });
  const mail = await until('the claim mail', async () => (await messagesTo(email))[0]);
  const page = await browser.page({ size, ...options });
  await page.setContent(mail.html);
  const codes = () => messagesTo(cellphoneNumber);
  const code = () =>
    until('the code', async () => /(?<!\d)\d{6}(?!\d)/.exec((await codes())[0]?.text ?? '')?.[0]);
  return { ...person(page), reference, page, codes, code };
}

/** What a person does with a page, counted. */
function person(page: Page) {
  let count = 0;
  return {
    count: () => count,
    async tap(target: string) {
      count += 1;
      await page.click(target);
    },
    async fill(target: string, text: string) {
      count += 1;
      await page.fill(target, text);
    },
  };
}

const mailLink = 'a[href*="/claim/"] >> nth=0';
const continues = 'form button[type=submit] >> nth=0';

/** Nothing is hidden below the fold: the button that leads on can be tapped without scrolling. */
async function expectButtonInSight(page: Page, button: string): Promise<void> {
  const box = await page.locator(button).first().boundingBox();
  expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(size[1]);
}

/** The second tap comes while the answer to the first is on its way. */
async function tapTwice(page: Page, target: string): Promise<void> {
  const button = page.locator(target);
  await button.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const tap = () => page.mouse.click(x + width / 2, y + height / 2);
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await tap();
  await sent;
  await tap();
}

async function expectFileFor(path: string, reference: string): Promise<void> {
  const file = (await readFile(path)).toString('base64');
  const { leaf } = await openPkcs12(scene.folder, file, password);
  expect(leaf.serialNumber).toBe((await scene.partners.otp.view(reference)).serialNumber);
}

describe('from the mail to the file on a phone', () => {
  it.each(['light', 'dark'] as const)(
    'it takes at most nine taps and fields and one SMS, every screen shows its button, and axe finds nothing: %s',
    async (scheme) => {
      const { page, tap, fill, count, codes, code, reference } = await applicant({ scheme });
      const look = async (button: string) => {
        expect(await accessibilityFaults(page)).toEqual([]);
        await expectButtonInSight(page, button);
      };
      await tap(mailLink);
      await page.waitForSelector('#send');
      await look('#send');
      await tap('#send');
      await page.waitForSelector('#code');
      await look(continues);
      await fill('#code', await code());
      await tap(continues);
      await page.waitForSelector('#passwordConfirmation');
      await page.waitForLoadState();
      await look(continues);
      await fill('#password', password);
      await fill('#passwordConfirmation', password);
      await tap('#acceptTerms');
      await tap(continues);
      await page.waitForSelector('#download');
      await look('#download');
      const [download] = await Promise.all([page.waitForEvent('download'), tap('#download')]);
      expect(download.suggestedFilename()).toMatch(/^Firma electrónica de .+ hasta \d{4}-\d\d-\d\d\.p12$/);
      await expectFileFor(await download.path(), reference);
      // The page says so by itself.
      await page.waitForSelector('text=Ya tiene su certificado');
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(count()).toBeLessThanOrEqual(mostTapsAndFields);
      expect(await codes()).toHaveLength(1);
    },
  );

  it('it takes no more without scripts', async () => {
    const { page, tap, fill, count, codes, code, reference } = await applicant({ javaScript: false });
    await tap(mailLink);
    await tap('#send');
    await fill('#code', await code());
    await tap(continues);
    await fill('#password', password);
    await fill('#passwordConfirmation', password);
    await tap('#acceptTerms');
    await tap(continues);
    // The page asks again by itself.
    await page.waitForSelector('#download');
    const [download] = await Promise.all([page.waitForEvent('download'), tap('#download')]);
    await expectFileFor(await download.path(), reference);
    expect(count()).toBeLessThanOrEqual(mostTapsAndFields);
    expect(await codes()).toHaveLength(1);
  });

  it('it can be done by keyboard alone', async () => {
    const { page, codes, code, reference } = await applicant();
    const { keyboard } = page;
    const tabTo = (id: string) =>
      until(`the way by keyboard to ${id}`, async () => {
        if ((await page.evaluate('document.activeElement.id')) === id) return true;
        await keyboard.press('Tab');
        return undefined;
      });
    await page.focus(mailLink);
    await keyboard.press('Enter');
    await page.waitForSelector('#send');
    await tabTo('send');
    await keyboard.press('Enter');
    // The field has the focus already.
    await page.waitForSelector('#code:focus');
    await keyboard.type(await code());
    await keyboard.press('Enter');
    await page.waitForSelector('#password:focus');
    await keyboard.type(password);
    await tabTo('passwordConfirmation');
    await keyboard.type(password);
    await tabTo('acceptTerms');
    await keyboard.press('Space');
    await keyboard.press('Enter');
    await page.waitForSelector('#download');
    await tabTo('download');
    const [download] = await Promise.all([page.waitForEvent('download'), keyboard.press('Enter')]);
    await expectFileFor(await download.path(), reference);
    expect(await codes()).toHaveLength(1);
  });

  it('double taps on a slow network send nothing twice, and going back changes nothing', async () => {
    const { page, codes, code, reference } = await applicant();
    await page.click(mailLink);
    await page.waitForSelector('#send');
    const network = await page.context().newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 1_500,
      downloadThroughput: 20_000,
      uploadThroughput: 20_000,
    });
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST')
        posts.push(new URL(request.url()).pathname.replace(/^\/claim\/[^/]+/, ''));
    });
    await tapTwice(page, '#send');
    await page.waitForSelector('#code');
    await page.goBack();
    // Who goes back is led on to the code that was sent, and gets no other.
    await page.click('.button');
    await page.fill('#code', await code());
    await tapTwice(page, continues);
    await page.waitForSelector('#passwordConfirmation');
    await page.reload();
    await page.fill('#password', password);
    await page.fill('#passwordConfirmation', password);
    await page.check('#acceptTerms');
    await tapTwice(page, continues);
    await page.waitForSelector('[data-progress], #download');
    await page.goBack();
    await page.waitForSelector('#download');
    const [download] = await Promise.all([page.waitForEvent('download'), tapTwice(page, '#download')]);
    await expectFileFor(await download.path(), reference);
    expect(posts).toEqual(['/code', '/check', '/password', '/download']);
    expect(await codes()).toHaveLength(1);
  });
});

describe('an applicant who cannot go on', () => {
  it('says that it was not them, and the partner hears that the request is refused', async () => {
    const { otp } = scene.partners;
    const { page, reference, codes } = await applicant();
    await page.click(mailLink);
    await page.click('text=Yo no pedí este certificado');
    await page.click(continues);
    await page.waitForSelector('text=Gracias por avisarnos');
    await otp.hears(reference, 'request.refused');
    expect(await otp.view(reference)).toMatchObject({ status: 'REFUSED', validationStatus: 'REFUSED' });
    expect(await codes()).toEqual([]);
  });

  it('says that the data are wrong, and gets another mail once the partner has corrected them', async () => {
    const { otp } = scene.partners;
    const { page, reference } = await applicant();
    await page.click(mailLink);
    const { pathname } = new URL(page.url());
    await page.click('text=Los datos no son correctos');
    await page.click(continues);
    await page.waitForSelector('text=Pedimos que corrijan sus datos');
    await otp.hears(reference, 'request.error');
    const email = `corregido.${crypto.randomUUID().slice(0, 8)}@correo.example`;
    expect((await otp.retry({ referenceTransaction: reference, email })).status).toBe(200);
    const mail = await until('the mail to the right address', async () => (await messagesTo(email))[0]);
    // The former link names the partner and shows nothing of the applicant.
    await page.goto(new URL(pathname, page.url()).href);
    await page.waitForSelector('text=Este enlace ya no sirve');
    await page.setContent(mail.html);
    await page.click(mailLink);
    await page.waitForSelector('#send');
  });
});
