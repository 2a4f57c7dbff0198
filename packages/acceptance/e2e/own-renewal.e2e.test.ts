import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { disposeAfterAll } from '@rubrica/testkit';
import { accessibilityFaults, openBrowser } from '@rubrica/testkit/browser';
import { afterEach, expect, it } from 'vitest';
import { byTwoAdministrators, operatorActor } from './support/operator-actor.ts';
import { partnerActor } from './support/partner-actor.ts';
import { openPkcs12 } from './support/pkcs12.ts';
import { until } from './support/poll.ts';
import { joinScene } from './support/scene.ts';

const size = [375, 667] as const;
const password = 'caballo bateria grapa';
const continues = 'form button[type=submit] >> nth=0';
const scene = await disposeAfterAll(joinScene());
const browser = await disposeAfterAll(openBrowser());
const info = scene.stack.info();
const contact = { name: 'Renueva Sola', email: 'renueva@partners.rubrica.test' };
const made = await byTwoAdministrators(info, 'partners.create', contact);
const admin = await operatorActor(info, 'admin');
await admin.call('partners.update', { id: made.id, holderRenewal: true });
const partner = await disposeAfterAll(
  partnerActor(
    { ...info, partners: { ...info.partners, other: { ...info.partners.other, ...made } } },
    'other',
  ),
);

afterEach(({ task }) => browser.closePages(task));

async function messagesTo(to: string): Promise<{ readonly subject: string; readonly text: string }[]> {
  const { mailUrl } = scene.stack.info();
  const answer = await fetch(`${mailUrl}/messages?${new URLSearchParams({ to })}`);
  return (await answer.json()) as { readonly subject: string; readonly text: string }[];
}

/** A subscriber whose certificate ends in a month, and the link of the reminder. */
async function reminded(more: object = {}) {
  const email = `lucia.${crypto.randomUUID().slice(0, 8)}@correo.example`;
  const cellphoneNumber = `+5939${String(randomInt(1e8)).padStart(8, '0')}`;
  const fields = { email, cellphoneNumber, period: 'ONE_YEAR', ...more };
  const { reference } = await partner.accepted(fields);
  const { serialNumber } = await partner.reaches(reference, 'GENERATED');
  const body = { referenceTransaction: reference, days: 335 };
  const advanced = await scene.call({ path: '/sandbox/advance', token: partner.token, body });
  expect(advanced.status, JSON.stringify(advanced.body)).toBe(200);
  const reminder = await until('the reminder', async () => (await messagesTo(email))[0]);
  const [link = ''] = /http\S+\/renew\/[\w-]{43}/.exec(reminder.text) ?? [];
  expect(link, reminder.text).not.toBe('');
  const code = () =>
    until(
      'the code',
      async () => /(?<!\d)\d{6}(?!\d)/.exec((await messagesTo(cellphoneNumber))[0]?.text ?? '')?.[0],
    );
  return { reference, serialNumber, link, email, code };
}

it('a subscriber renews on a phone: one code, the file opens with their password, and both records tell of each other', async () => {
  const former = await reminded();
  const page = await browser.page({ size });
  const look = async () => expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(former.link);
  await page.waitForSelector('text=Renueva Sola');
  await look();
  const button = await page.locator('#send').boundingBox();
  expect((button?.y ?? Number.NaN) + (button?.height ?? 0)).toBeLessThanOrEqual(size[1]);
  await page.click('#send');
  await page.waitForSelector('#code');
  await page.fill('#code', await former.code());
  await page.click(continues);
  await page.waitForSelector('#passwordConfirmation');
  await page.waitForLoadState();
  await page.fill('#password', password);
  await page.fill('#passwordConfirmation', password);
  await page.check('#acceptTerms');
  await page.click(continues);
  await page.waitForSelector('#download');
  await look();
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);

  const reference = `${former.reference}-R1`;
  const renewed = await partner.view(reference);
  const { leaf } = await openPkcs12(
    scene.folder,
    (await readFile(await download.path())).toString('base64'),
    password,
  );
  expect(leaf.serialNumber).toBe(renewed.serialNumber);
  expect(renewed).toMatchObject({
    status: 'GENERATED',
    period: 'ONE_YEAR',
    renewalOf: { referenceTransaction: former.reference, serialNumber: former.serialNumber },
  });
  expect(await partner.view(former.reference)).toMatchObject({
    certificateStatus: 'VALID',
    renewedBy: { referenceTransaction: reference, serialNumber: renewed.serialNumber },
  });
  const event = await partner.hears(reference, 'certificate.issued');
  expect(Object.keys(event.body)).toContain('file');
  expect(Object.keys(event.body)).not.toContain('password');
  expect(event.headers['x-rubrica-renewal-of']).toBe(former.reference);
  // No claim mail: what comes says that the certificate is there, and carries the same link.
  const mails = await until('the mail of the certificate', async () => {
    const all = await messagesTo(former.email);
    return all.length > 1 ? all : undefined;
  });
  expect(mails.map(({ text }) => text.includes(former.link))).toEqual([true, true]);
});

it('the link serves the download after a fresh code, and is dead for what the partner renews itself', async () => {
  const former = await reminded();
  const post = (below: string, fields: Record<string, string> = {}) =>
    fetch(`${former.link}${below}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  expect((await post('/code')).status).toBe(303);
  const chosen = { password, passwordConfirmation: password, acceptTerms: 'true' };
  expect((await post('', { ...chosen, code: await former.code() })).status).toBe(303);
  await partner.reaches(`${former.reference}-R1`, 'GENERATED');
  expect((await post('/download')).status).toBe(400);
  const first = await former.code();
  expect((await post('/code')).status).toBe(303);
  const code = await until('another code', async () => {
    const fresh = await former.code();
    return fresh === first ? undefined : fresh;
  });
  const file = Buffer.from(await (await post('/download', { code })).arrayBuffer());
  const { leaf } = await openPkcs12(scene.folder, file.toString('base64'), password);
  expect(leaf.serialNumber).toBe((await partner.view(`${former.reference}-R1`)).serialNumber);

  const other = await reminded();
  const renewal = await scene.call({
    path: '/manager/certificate/renew',
    token: partner.token,
    body: {
      referenceTransaction: other.reference,
      newReferenceTransaction: `${other.reference}-P`,
      password: 'Segura2026firma',
    },
  });
  expect(renewal.status, JSON.stringify(renewal.body)).toBe(200);
  const dead = await fetch(other.link, { headers: { accept: 'text/html' } });
  expect(dead.status).toBe(409);
  expect(await dead.text()).toContain('renueva@partners.rubrica.test');
});
