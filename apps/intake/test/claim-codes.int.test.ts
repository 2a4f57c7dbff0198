import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClaimGround, claimGround, fault, otherThan } from './support/claims.ts';

const ground = await disposeAfterAll(claimGround({ CLAIM_CODE_INTERVAL_SECONDS: '20' }));

function approved(fields: Record<string, string> = {}) {
  return ground.approved({ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined, ...fields });
}

type Link = Awaited<ReturnType<typeof approved>>;
function nextCode(link: Link) {
  ground.pass(21_000);
  return ground.sendCode(link);
}

async function spend(link: Link, code: string) {
  for (const triesLeft of [4, 3, 2, 1, 0]) {
    await expect(ground.claim(link, otherThan(code))).rejects.toMatchObject({
      message: expect.stringContaining(`tries left: ${triesLeft}`),
      data: { appCode: 'OTP_INVALID', details: [{ code: 'OTP_INVALID', field: 'code' }] },
    });
  }
}

describe('a code', () => {
  it('goes out by SMS on its own stream, sealed to the notifier, and in no other row', async () => {
    const link = await approved();
    const { sealedToken, requestId } = link;
    const sent = await ground.claims.sendCode.mutate({ sealedToken, language: 'en' });
    expect(sent).toMatchObject({ channel: 'sms', sentTo: '+593*****567' });
    const left = new Date(sent.expiresAt).getTime() - ground.clock().getTime();
    expect(left).toBeGreaterThan(4.5 * MINUTE_MS);
    expect(left).toBeLessThanOrEqual(5 * MINUTE_MS);
    const message = await ground.messageOf(requestId, 'claim-code');
    expect(message).toMatchObject({
      channel: 'sms',
      to: '+593991234567',
      language: 'en',
      expiresAt: sent.expiresAt,
    });
    expect(await ground.intake.outbox('jobs.sms.send')).toContainEqual({ messageId: message.messageId });
    expect(await ground.secretOf(requestId, 'claim-code')).toMatch(/^\d{6}$/);
  });

  it('dies after five wrong tries, the right one then too; the next one waits its time', async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    await spend(link, code);
    await expect(ground.claim(link, code)).rejects.toMatchObject({
      data: { appCode: 'OTP_ATTEMPTS_EXCEEDED', retryAfterSeconds: expect.any(Number) },
    });
    expect(await ground.claims.view.query(link)).toMatchObject({ state: 'OPEN', code: null });
    expect(await ground.claim(link, await nextCode(link))).toMatchObject({ state: 'IN_PROGRESS' });
  });

  it('is guessed at five times at most, however many guesses come at once', async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    const guesses = Array.from({ length: 20 }, (_, index) =>
      String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0'),
    );
    const outcomes = await Promise.all(
      guesses.map((guess) =>
        ground.claim(link, guess).then(
          () => 'claimed',
          (error: { data?: { appCode?: string } }) => error.data?.appCode,
        ),
      ),
    );
    const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
    expect(count('OTP_INVALID')).toBe(5);
    expect(count('OTP_ATTEMPTS_EXCEEDED')).toBe(15);
    await expect(ground.claim(link, code)).rejects.toMatchObject(fault('OTP_ATTEMPTS_EXCEEDED'));
  });

  it('among wrong guesses at once succeeds at most once, and never beyond the fifth try', async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    const guesses = Array.from({ length: 20 }, (_, index) => (index === 2 ? code : otherThan(code)));
    const outcomes = await Promise.allSettled(guesses.map((guess) => ground.claim(link, guess)));
    const timeline = (await ground.timelineOf(link.requestId)).filter((one) => one === 'claim');
    const succeeded = outcomes.some(({ status }) => status === 'fulfilled');
    expect(timeline).toHaveLength(succeeded ? 1 : 0);
    const [row] = await ground.intake.query<{ wrong: number }>(
      'select max(wrong_tries) as wrong from intake.claim_code where request_id = $1',
      [link.requestId],
    );
    expect(row?.wrong).toBeLessThanOrEqual(5);
  });

  it('is good for five minutes', async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    ground.pass(5 * MINUTE_MS);
    await expect(ground.claim(link, code)).rejects.toMatchObject(fault('OTP_EXPIRED'));
    expect((await ground.messageOf(link.requestId, 'claim-code')).sealedSecret).toBeNull();
    expect(await ground.claims.view.query(link)).toMatchObject({ code: null });
  });

  it('is counted for a day, and forgotten after two', async () => {
    const link = await approved();
    await ground.sendCode(link);
    const kept = async () =>
      (await ground.intake.query('select 1 from intake.claim_code where request_id = $1', [link.requestId]))
        .length;
    ground.pass(2 * DAY_MS - MINUTE_MS);
    await ground.sweep();
    expect(await kept()).toBe(1);
    ground.pass(2 * MINUTE_MS);
    await ground.sweep();
    expect(await kept()).toBe(0);
    expect(await ground.timelineOf(link.requestId)).toContain('sendClaimCode');
    expect(await ground.claims.view.query(link)).toMatchObject({ code: null });
  });

  it('takes the place of the one before', async () => {
    const link = await approved();
    const first = await ground.sendCode(link);
    let second = await nextCode(link);
    if (second === first) second = await nextCode(link);
    await expect(ground.claim(link, first)).rejects.toMatchObject(fault('OTP_INVALID'));
    expect(await ground.claim(link, second)).toMatchObject({ state: 'IN_PROGRESS' });
  });

  it('is sent again after some seconds, five times within an hour, and not a sixth time', async () => {
    const link = await approved();
    await ground.sendCode(link);
    await expect(ground.sendCode(link)).rejects.toMatchObject({
      data: { appCode: 'RATE_LIMITED', retryAfterSeconds: 20 },
    });
    for (const _ of [2, 3, 4, 5]) await nextCode(link);
    const refused = await nextCode(link).catch((error: { data: { retryAfterSeconds: number } }) => error);
    expect(refused).toMatchObject(fault('RATE_LIMITED'));
    const { retryAfterSeconds } = (refused as { data: { retryAfterSeconds: number } }).data;
    const { nextCodeAt } = await ground.claims.view.query(link);
    expect(
      Math.abs(new Date(nextCodeAt).getTime() - ground.clock().getTime() - retryAfterSeconds * 1000),
    ).toBeLessThan(5_000);
    ground.pass(retryAfterSeconds * 1000);
    await ground.sendCode(link);
  });

  it('asked for by many at once is sent once', async () => {
    const link = await approved();
    const { sealedToken } = link;
    const asked = await Promise.allSettled(
      Array.from({ length: 10 }, () => ground.claims.sendCode.mutate({ sealedToken, language: 'es' })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('cannot be guessed by asking for more and more new ones: fifteen wrong tries lock the link for a day', async () => {
    const link = await approved();
    for (const _ of [1, 2, 3]) await spend(link, await nextCode(link));
    ground.pass(2 * HOUR_MS);
    await expect(ground.sendCode(link)).rejects.toMatchObject({
      data: { appCode: 'OTP_ATTEMPTS_EXCEEDED', retryAfterSeconds: expect.any(Number) },
    });
    await expect(ground.claim(link, '123456')).rejects.toMatchObject(fault('OTP_ATTEMPTS_EXCEEDED'));
    ground.pass(DAY_MS);
    expect(await ground.claim(link, await ground.sendCode(link))).toMatchObject({ state: 'IN_PROGRESS' });
  });

  it('of one link is nothing to another', async () => {
    const [one, other] = [await approved(), await approved()];
    const code = await ground.sendCode(one);
    let theirs = await ground.sendCode(other);
    while (theirs === code) theirs = await nextCode(other);
    await expect(ground.claim(other, code)).rejects.toMatchObject(fault('OTP_INVALID'));
  });
});

describe('with codes by e-mail', () => {
  let byMail: ClaimGround;
  beforeAll(async () => {
    byMail = await claimGround({ CLAIM_CODE_CHANNEL: 'email' });
  });
  afterAll(() => byMail?.[Symbol.asyncDispose]());

  it('the second e-mail gets them, and for want of it the first', async () => {
    const type = { certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined };
    const second = await byMail.approved({ ...type, secondEmail: 'second@other.ec' });
    await byMail.sendCode(second);
    expect(await byMail.messageOf(second.requestId, 'claim-code')).toMatchObject({
      channel: 'email',
      to: 'second@other.ec',
    });
    expect(await byMail.claims.view.query(second)).toMatchObject({
      codeChannel: 'email',
      codeSentTo: 's***@o***.ec',
    });
    const { messageId } = await byMail.messageOf(second.requestId, 'claim-code');
    expect(await byMail.intake.outbox('jobs.mail.send')).toContainEqual({ messageId });
    const first = await byMail.approved(type);
    await byMail.sendCode(first);
    expect(await byMail.messageOf(first.requestId, 'claim-code')).toMatchObject({ to: 'jane@mail.com' });
  });
});
