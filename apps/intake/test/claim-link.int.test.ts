import { DAY_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { claimGround, fault, otherThan } from './support/claims.ts';
import { asOperator, makeRegistration } from './support/running-intake.ts';

const ground = await disposeAfterAll(claimGround());

const TRANSACTIONAL = { certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined };
async function claimed() {
  const link = await ground.approved(TRANSACTIONAL);
  await ground.claim(link, await ground.sendCode(link));
  return link;
}

describe('a resent link', () => {
  it('ends the earlier one and the code that was asked for there, and moves no end', async () => {
    const link = await ground.approved(TRANSACTIONAL);
    const { expiresAt } = await ground.claims.view.query(link);
    const code = await ground.sendCode(link);
    const resent = await ground.otp.resendLink.mutate({
      family: 'TV',
      requestId: link.requestId,
      faults: [],
    });
    expect(resent.linkExpiresAt).toBe(expiresAt);
    await expect(ground.claim(link, code)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    expect((await ground.messageOf(link.requestId, 'claim-code')).sealedSecret).toBeNull();
    const token = await ground.secretOf(link.requestId, 'claim');
    const renewed = { ...link, token, sealedToken: await ground.sealToken(token) };
    await expect(ground.claim(renewed, code)).rejects.toMatchObject(fault('OTP_EXPIRED'));
    expect(await ground.claim(renewed, await ground.sendCode(renewed))).toMatchObject({
      state: 'IN_PROGRESS',
    });
    await expect(
      ground.otp.resendLink.mutate({ family: 'TV', requestId: link.requestId, faults: [] }),
    ).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
  });
});

describe('the download', () => {
  it('opens by the same link and a fresh code, once for each, and is written down', async () => {
    const link = await claimed();
    const { requestId, token, sealedToken } = link;
    const sealed = async (code: string) => ({
      sealedToken,
      sealedCode: await ground.seal(code, token),
    });
    await expect(ground.claims.openDownload.mutate(await sealed('123456'))).rejects.toMatchObject(
      fault('REQUEST_STATE_NOT_ALLOWED'),
    );
    await ground.issue(requestId);
    await ground.reaches(requestId, 'GENERATED');
    expect(await ground.secretOf(requestId, 'certificate-ready')).toBe(link.token);
    expect(await ground.messageOf(requestId, 'certificate-ready')).toMatchObject({ language: 'en' });
    const view = await ground.claims.view.query({ sealedToken });
    expect(view).toMatchObject({ state: 'ISSUED', serialNumber: 'ABCDEF0123456789' });
    const days = (new Date(view.downloadUntil ?? 0).getTime() - ground.clock().getTime()) / DAY_MS;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    const code = await ground.sendCode(link);
    await expect(ground.claims.openDownload.mutate(await sealed(otherThan(code)))).rejects.toMatchObject(
      fault('OTP_INVALID'),
    );
    const opened = { requestId, serialNumber: 'ABCDEF0123456789', grant: expect.any(String) };
    const granted = await ground.claims.openDownload.mutate(await sealed(code));
    expect(granted).toEqual(opened);
    const { keyring } = await ground.intake.ground.peer('generation');
    const asked = { type: 'rubrica-grant+jwt', issuer: 'intake' };
    const { claims } = keyring.verifyStatement(granted.grant, asked);
    expect(claims).toMatchObject({ purpose: 'release', azp: 'gateway', aud: 'generation', requestId });
    expect(claims).toMatchObject({ serial: opened.serialNumber, occasion: `download:${requestId}` });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(300);
    await expect(ground.claims.openDownload.mutate(await sealed(code))).rejects.toMatchObject(
      fault('OTP_EXPIRED'),
    );
    expect(await ground.claims.openDownload.mutate(await sealed(await ground.sendCode(link)))).toEqual(
      opened,
    );
    expect(await ground.timelineOf(requestId)).toEqual(
      expect.arrayContaining(['issue', 'sendDownloadCode', 'download']),
    );
    const audit = await ground.intake
      .operators(asOperator('viewer'))
      .audit.list.query({ service: 'intake', requestId, action: 'claims.download' });
    expect(audit.items).toHaveLength(2);
  });

  it('ends seven days after the issue; then the sweeper destroys the last copy of the link', async () => {
    const link = await claimed();
    const { requestId } = link;
    await ground.issue(requestId);
    await ground.reaches(requestId, 'GENERATED');
    ground.pass(7 * DAY_MS - 60_000);
    const code = await ground.sendCode(link);
    ground.pass(61_000);
    expect(await ground.claims.view.query(link)).toMatchObject({ state: 'DOWNLOAD_ENDED', code: null });
    const input = { sealedToken: link.sealedToken, sealedCode: await ground.seal(code, link.token) };
    await expect(ground.claims.openDownload.mutate(input)).rejects.toMatchObject(
      fault('REQUEST_STATE_NOT_ALLOWED'),
    );
    expect((await ground.messageOf(requestId, 'certificate-ready')).sealedSecret).toBeNull();
    ground.pass(5 * MINUTE_MS);
    await ground.sweep();
    await expect
      .poll(() =>
        ground.intake.query(
          'select 1 from intake.message where request_id = $1 and sealed_secret is not null',
          [requestId],
        ),
      )
      .toEqual([]);
  });

  it('stays the applicant’s: after the claim a retry takes no password of the partner’s, and counts nothing', async () => {
    const link = await claimed();
    const { requestId } = link;
    await ground.intake.tell('events.certificate.failed', {
      requestId,
      attempt: 1,
      code: 'CERTIFICATE_SIGNING_FAILED',
    });
    await ground.reaches(requestId, 'ERROR');
    const retry = { family: 'TV' as const, requestId, corrections: {}, faults: [] };
    const corrections = { applicantName: 'Maria' };
    for (const attack of [retry, { ...retry, corrections }]) {
      await expect(
        ground.otp.retry.mutate({ ...attack, sealedPassword: 'the.partners' }),
      ).rejects.toMatchObject({
        data: { appCode: 'REQUEST_STATE_NOT_ALLOWED', details: [{ field: 'password' }] },
      });
    }
    expect(await ground.statusOf(requestId)).toMatchObject({ status: 'ERROR', retryCount: 0 });
    await ground.otp.retry.mutate(retry);
    const generation = await ground.intake.peer('generation');
    expect(await generation.issuance.order.query({ requestId, attempt: 2 })).toMatchObject({
      sealedPassword: 'sealed.to.generation',
      passwordOrigin: 'HOLDER',
    });
    await ground.issue(requestId, 2);
    await ground.reaches(requestId, 'GENERATED');
    expect(await ground.claims.view.query(link)).toMatchObject({ state: 'ISSUED' });
  });

  it('stays so where a correction voids what the applicant had claimed, up to their next claim', async () => {
    const link = await claimed();
    const { requestId } = link;
    const fails = (attempt: number) =>
      ground.intake.tell('events.certificate.failed', {
        requestId,
        attempt,
        code: 'CERTIFICATE_SIGNING_FAILED',
      });
    await fails(1);
    await ground.reaches(requestId, 'ERROR');
    const retry = { family: 'TV' as const, requestId, faults: [] };
    await ground.otp.retry.mutate({ ...retry, corrections: { fingerCode: 'Z9999Z9999' } });
    await ground.reaches(requestId, 'APPROVED');
    const token = await ground.secretOf(requestId, 'claim');
    const again = { requestId, token, sealedToken: await ground.sealToken(token) };
    await ground.claim(again, await ground.sendCode(again));
    await fails(2);
    await ground.reaches(requestId, 'ERROR');
    await expect(
      ground.otp.retry.mutate({ ...retry, corrections: {}, sealedPassword: 'the.partners' }),
    ).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
  });

  it('is nobody’s where the partner gave a password before any claim: the link has ended', async () => {
    const identificationNumber = '2450000902';
    const input = makeRegistration({ identificationNumber }, { sealedPassword: undefined });
    const { requestId } = input;
    await ground.otp.register.mutate(input);
    await ground.reaches(requestId, 'ERROR');
    const retry = { family: 'TV' as const, requestId, corrections: {}, faults: [] };
    await ground.otp.retry.mutate({ ...retry, sealedPassword: 'the.partners' });
    const [row] = await ground.intake.query<{ origin: string }>(
      'select password_origin as origin from intake.request where id = $1',
      [requestId],
    );
    expect(row?.origin).toBe('PARTNER');
  });
});
