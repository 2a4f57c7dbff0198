import { describe, expect, it } from 'vitest';
import { until } from './support/poll.ts';
import { listErrorCodes } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());
const otp = scene.partners.otp;

interface Mail {
  readonly channel: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

async function mailsTo(address: string): Promise<Mail[]> {
  const response = await fetch(`${scene.stack.info().mailUrl}/messages?to=${encodeURIComponent(address)}`);
  return (await response.json()) as Mail[];
}
const claimLinkOf = ({ text }: Mail) => /https?:\/\/\S+\/claim\/[A-Za-z0-9_-]+/.exec(text)?.[0];

/** A request that waits for its applicant, and the first claim mail. */
async function approved() {
  const email = `ana.${crypto.randomUUID().slice(0, 8)}@correo.example`;
  const { reference, requestId } = await otp.accepted({ email, password: undefined });
  await otp.reaches(reference, 'APPROVED');
  const mail = await until('the claim mail', async () => (await mailsTo(email))[0]);
  return { email, reference, requestId, mail };
}

/** Resends as soon as the interval allows. */
const resendWhenAllowed = (reference: string) =>
  until('a resend that is not too early', async () => {
    const answer = await otp.resend({ referenceTransaction: reference });
    if (answer.status !== 429) return answer;
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    return undefined;
  });

describe('the claim mail, and POST /manager/linked-partner/resend-validation-link', () => {
  it('goes to the applicant of an approved request, with a link of 256 random bits', async () => {
    const { mail, email, reference } = await approved();
    expect(mail).toMatchObject({ channel: 'email', to: expect.stringContaining(email) });
    const token = claimLinkOf(mail)?.split('/').at(-1) ?? '';
    expect(claimLinkOf(mail)).toBe(`${scene.stack.info().baseUrl}/claim/${token}`);
    expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(32);
    expect(await otp.view(reference)).toMatchObject({ status: 'APPROVED', validationStatus: 'COMPLETED' });
  });

  it('is not needed when the partner gave the password', async () => {
    const email = 'sin.reclamo@correo.example';
    const { reference } = await otp.accepted({ email });
    await otp.hears(reference, 'certificate.issued');
    expect(await mailsTo(email)).toEqual([]);
  });

  it('is sent again with a new link, masked in the answer, not too soon and at most five times', async () => {
    const { mail, email, reference, requestId } = await approved();
    const early = await otp.resend({ referenceTransaction: reference });
    expect(early.status).toBe(429);
    expect(listErrorCodes(early)).toEqual(['RATE_LIMITED']);
    const links = new Set([claimLinkOf(mail)]);
    for (const resendCount of [1, 2, 3, 4, 5]) {
      const answer = await resendWhenAllowed(reference);
      expect(answer).toMatchObject({
        status: 200,
        body: {
          linkedPartnerRequestId: requestId,
          status: 'APPROVED',
          sentTo: 'a***@c***.example',
          resendCount,
          resendsRemaining: 5 - resendCount,
          linkExpiresAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/),
        },
      });
      const mails = await until('the mail', async () => {
        const found = await mailsTo(email);
        return found.length > resendCount ? found : undefined;
      });
      links.add(mails[0] && claimLinkOf(mails[0]));
    }
    expect(links.size).toBe(6);
    const sixth = await resendWhenAllowed(reference);
    expect(sixth.status).toBe(409);
    expect(listErrorCodes(sixth)).toEqual(['RESEND_LIMIT_EXCEEDED']);
  });

  it('is sent again only while the request waits for its applicant', async () => {
    const { reference } = await otp.accepted();
    await otp.reaches(reference, 'GENERATED');
    const answer = await otp.resend({ referenceTransaction: reference });
    expect(answer.status).toBe(409);
    expect(listErrorCodes(answer)).toEqual(['REQUEST_STATE_NOT_ALLOWED']);
  });
});
