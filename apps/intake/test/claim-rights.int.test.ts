import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { type ClaimGround, claimGround, fault, otherThan } from './support/claims.ts';

const ground = await disposeAfterAll(claimGround());

type Link = Awaited<ReturnType<ClaimGround['approved']>>;
function approved(): Promise<Link> {
  return ground.approved({ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined });
}

async function check({ token, sealedToken }: Link, code: string) {
  const sealedCode = await ground.seal(code, token);
  const given = await ground.claims.checkCode.mutate({ sealedToken, sealedCode });
  return { ...given, secret: await ground.openRight(given, token) };
}

async function claimBy(link: Link, secret: string) {
  const sealedRight = await ground.sealRight(secret, link.token);
  return ground.claim(link, '', { sealedCode: undefined, sealedRight });
}

async function downloadBy({ token, sealedToken }: Link, secret: string) {
  const sealedRight = await ground.sealRight(secret, token);
  return ground.claims.openDownload.mutate({ sealedToken, sealedRight });
}

/** Claimed by a right and issued, with the secret that the browser has then. */
async function claimedBySitting() {
  const link = await approved();
  const { secret } = await check(link, await ground.sendCode(link));
  const { retrieval } = await claimBy(link, secret);
  await ground.issue(link.requestId);
  await ground.reaches(link.requestId, 'GENERATED');
  return {
    link,
    claimSecret: secret,
    secret: await ground.openRight(retrieval ?? { sealedRight: '' }, link.token),
  };
}

describe('a code that is checked by itself', () => {
  it('gives a right that claims in its place, and ends with the claim', async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    const { secret, expiresAt } = await check(link, code);
    const lifeMs = new Date(expiresAt).getTime() - ground.clock().getTime();
    expect(lifeMs).toBeGreaterThan(14 * MINUTE_MS);
    expect(lifeMs).toBeLessThanOrEqual(15 * MINUTE_MS);
    expect(await claimBy(link, secret)).toMatchObject({ state: 'IN_PROGRESS', code: null });
    const rows = await ground.intake.query(
      `select 1 from intake.claim_code where request_id = $1 and digest is not null
       union all select 1 from intake.message where template = 'claim-code' and request_id = $1 and sealed_secret is not null`,
      [link.requestId],
    );
    expect(rows).toEqual([]);
    const stored = await ground.intake.query(
      'select secret_sha256 from intake.claim_right where request_id = $1',
      [link.requestId],
    );
    expect(stored).toContainEqual({ secret_sha256: ground.sha256(secret) });
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('is answered twice to who taps twice, and each answer is good', async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    const [first, second] = await Promise.all([check(link, code), check(link, code)]);
    expect(first.secret).not.toBe(second.secret);
    expect(await claimBy(link, first.secret)).toMatchObject({ state: 'IN_PROGRESS' });
    expect(await claimBy(link, second.secret)).toMatchObject({
      state: 'IN_PROGRESS',
      retrieval: { sealedRight: expect.any(String) },
    });
    expect((await ground.timelineOf(link.requestId)).filter((one) => one === 'claim')).toHaveLength(1);
  });

  it('counts its wrong tries as a claim does', async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    await expect(check(link, otherThan(code))).rejects.toMatchObject(fault('OTP_INVALID'));
    await expect(ground.claim(link, otherThan(code))).rejects.toMatchObject({
      message: expect.stringContaining('tries left: 3'),
    });
    for (const _ of [3, 4, 5])
      await expect(check(link, otherThan(code))).rejects.toMatchObject(fault('OTP_INVALID'));
    await expect(check(link, code)).rejects.toMatchObject(fault('OTP_ATTEMPTS_EXCEEDED'));
  });
});

describe('a right to claim', () => {
  it('is over after a quarter of an hour', async () => {
    const link = await approved();
    const { secret } = await check(link, await ground.sendCode(link));
    ground.pass(15 * MINUTE_MS);
    await expect(claimBy(link, secret)).rejects.toMatchObject(fault('OTP_EXPIRED'));
    expect(await ground.claims.view.query(link)).toMatchObject({ state: 'OPEN' });
  });

  it('is nothing to another link, to a download, or once its link was replaced', async () => {
    const [one, other] = [await approved(), await approved()];
    const { secret } = await check(one, await ground.sendCode(one));
    await expect(claimBy(other, secret)).rejects.toMatchObject(fault('OTP_EXPIRED'));
    await ground.otp.resendLink.mutate({ family: 'TV', requestId: one.requestId, faults: [] });
    await expect(claimBy(one, secret)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    const token = await ground.secretOf(one.requestId, 'claim');
    const renewed = { ...one, token, sealedToken: await ground.sealToken(token) };
    await expect(claimBy(renewed, secret)).rejects.toMatchObject(fault('OTP_EXPIRED'));
  });

  it('goes with a code or without, never with both', async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    const { secret } = await check(link, code);
    const sealedRight = await ground.sealRight(secret, link.token);
    await expect(ground.claim(link, code, { sealedRight })).rejects.toMatchObject(fault('FIELD_INVALID'));
    await expect(ground.claim(link, code, { sealedCode: undefined })).rejects.toMatchObject(
      fault('FIELD_INVALID'),
    );
  });
});

describe('the browser that claimed', () => {
  it('downloads without another code, as often as wanted, for half an hour', async () => {
    const { link, claimSecret, secret } = await claimedBySitting();
    expect(await downloadBy(link, secret)).toMatchObject({ serialNumber: 'ABCDEF0123456789' });
    await downloadBy(link, secret);
    expect((await ground.timelineOf(link.requestId)).filter((one) => one === 'download')).toHaveLength(2);
    await expect(downloadBy(link, claimSecret)).rejects.toMatchObject(fault('OTP_EXPIRED'));
    ground.pass(30 * MINUTE_MS);
    await expect(downloadBy(link, secret)).rejects.toMatchObject(fault('OTP_EXPIRED'));
    const sealedCode = await ground.seal(await ground.sendCode(link), link.token);
    expect(
      await ground.claims.openDownload.mutate({ sealedToken: link.sealedToken, sealedCode }),
    ).toMatchObject({ serialNumber: 'ABCDEF0123456789' });
  });

  it('is known by the code that claimed too, but by no code that is used up', async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    expect((await ground.claim(link, code)).retrieval).not.toBeNull();
    expect(await ground.claim(link, code)).toMatchObject({ state: 'IN_PROGRESS', retrieval: null });
  });

  it('leaves nothing behind once the half hour is over', async () => {
    const { link } = await claimedBySitting();
    ground.pass(31 * MINUTE_MS);
    await ground.sweep();
    expect(
      await ground.intake.query('select 1 from intake.claim_right where request_id = $1', [link.requestId]),
    ).toEqual([]);
  });
});
