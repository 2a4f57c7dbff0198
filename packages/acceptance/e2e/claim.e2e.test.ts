import { randomInt } from 'node:crypto';
import { createClaimClient } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { queryStack } from './support/ledger.ts';
import { openPkcs12 } from './support/pkcs12.ts';
import { until } from './support/poll.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());

interface Message {
  readonly channel: string;
  readonly subject: string | null;
  readonly text: string;
}

async function messagesTo(to: string): Promise<Message[]> {
  const { mailUrl } = scene.stack.info();
  const response = await fetch(`${mailUrl}/messages?${new URLSearchParams({ to })}`);
  return (await response.json()) as Message[];
}

const linkIn = (message: Message | undefined) =>
  /https?:\/\/\S+\/claim\/[A-Za-z0-9_-]+/.exec(message?.text ?? '')?.[0];

/** An applicant whose request waits for the claim, with the newest link and an own telephone number. */
async function approvedApplicant() {
  const { otp } = scene.partners;
  const email = `rosa.${crypto.randomUUID().slice(0, 8)}@correo.example`;
  const cellphoneNumber = `+5939${String(randomInt(1e8)).padStart(8, '0')}`;
  const { reference, requestId } = await otp.accepted({ email, cellphoneNumber, password: undefined });
  await otp.reaches(reference, 'APPROVED');
  const link = await until('the claim mail', async () => linkIn((await messagesTo(email))[0]));
  const { mailUrl } = scene.stack.info();
  const client = createClaimClient({ link });
  const codes = () => messagesTo(cellphoneNumber);
  /** Sends a code and waits for it: an earlier one must not be taken for it. */
  const freshCode = async (send: () => Promise<unknown>) => {
    const before = (await codes()).length;
    await send();
    await until('a further code', async () => (await codes()).length > before || undefined);
    return client.readCode(mailUrl, cellphoneNumber);
  };
  return { email, cellphoneNumber, reference, requestId, link, client, codes, freshCode };
}

describe('the claim', () => {
  it('gives the applicant the certificate, under a password that only the applicant knows', async () => {
    const { otp } = scene.partners;
    const { client, email, codes, freshCode, reference, requestId, link } = await approvedApplicant();
    const password = 'Condor de los Andes 7';

    const page = await client.open();
    expect(page.status).toBe(200);
    const code = await freshCode(client.sendCode);
    expect((await codes())[0]).toMatchObject({ channel: 'sms' });
    expect((await client.claim({ code, password })).status).toBe(200);

    const { body } = await otp.hears(reference, 'certificate.issued');
    expect(Object.keys(body as object).toSorted()).toEqual(['file', 'referenceTransaction', 'serialNumber']);
    await client.awaitDownload();
    const ready = await until('the mail that it is ready', async () =>
      (await messagesTo(email)).length > 1 ? (await messagesTo(email))[0] : undefined,
    );
    expect(linkIn(ready)).toBe(link);

    for (let time = 0; time < 2; time += 1) {
      const downloadCode = await freshCode(client.sendCode);
      const file = await client.download(downloadCode);
      const { leaf: certificate, chainLength } = await openPkcs12(
        scene.folder,
        file.toString('base64'),
        password,
      );
      expect(certificate.serialNumber).toBe((await otp.view(reference)).serialNumber);
      expect(chainLength).toBe(3);
    }
    expect(
      await queryStack(
        scene.stack,
        'select terms_version from intake.terms_acceptance where request_id = $1',
        [requestId],
      ),
    ).toHaveLength(1);
  });

  it('is not begun by whoever only opens the link', async () => {
    const { link, client, reference, codes } = await approvedApplicant();
    for (let time = 0; time < 5; time += 1) await fetch(link, { method: time % 2 ? 'HEAD' : 'GET' });
    expect(await codes()).toEqual([]);
    expect(await scene.partners.otp.view(reference)).toMatchObject({ status: 'APPROVED' });
    expect((await client.open()).forms.length).toBeGreaterThan(0);
  });

  it('is refused with a wrong code, without the terms, and with passwords that differ, and nothing is lost', async () => {
    const { client, freshCode, reference } = await approvedApplicant();
    const password = 'una clave larga';
    const code = await freshCode(client.sendCode);
    const wrong = code === '000000' ? '000001' : '000000';
    expect((await client.claim({ code: wrong, password })).status).toBe(400);
    expect((await client.claim({ code, password, confirmation: 'otra clave larga' })).status).toBe(400);
    expect((await client.claim({ code, password, accept: false })).status).toBe(412);
    expect(await scene.partners.otp.view(reference)).toMatchObject({ status: 'APPROVED' });
    expect((await client.claim({ code, password })).status).toBe(200);
    await scene.partners.otp.reaches(reference, 'GENERATED');
  });

  it('is out of reach by a link that a newer one replaced, or of a request that was cancelled', async () => {
    const { otp } = scene.partners;
    const { client, email, link, reference } = await approvedApplicant();
    await until(
      'a resend',
      async () => (await otp.resend({ referenceTransaction: reference })).status === 200 || undefined,
    );
    const newer = await until('the newer link', async () => {
      const found = linkIn((await messagesTo(email))[0]);
      return found === link ? undefined : found;
    });
    expect((await client.open()).status).toBe(404);
    const second = createClaimClient({ link: newer });
    expect((await second.open()).status).toBe(200);
    expect((await otp.cancel({ referenceTransaction: reference })).status).toBe(200);
    const ended = await second.open();
    expect(ended.forms).toEqual([]);
  });
});
