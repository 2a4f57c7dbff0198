import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { crashPoints } from '../src/base/crash-points.ts';
import { fault, otherThan } from './support/claims.ts';
import { arm, startProcess } from './support/intake-process.ts';
import { revocationGround, revokedAt } from './support/revocations.ts';
import { asOperator } from './support/running-intake.ts';

const scene = await disposeAfterAll(revocationGround());
const { ground, issued, send, revoke, codeOf, revoked, generation } = scene;

describe('a subscriber', () => {
  it('revokes by number and serial, as it is printed, and the code that went to the telephone', async () => {
    const { requestId, serialNumber, pair } = await issued({ cellphoneNumber: '+593991234567' });
    const printed = serialNumber.toLowerCase().replaceAll(/(..)(?=.)/g, '$1:');
    expect(await send({ ...pair, serialNumber: printed })).toEqual({});
    expect(await ground.messageOf(requestId, 'revoke-code')).toMatchObject({
      channel: 'sms',
      to: '+593991234567',
      language: 'es',
    });
    expect(await revoke(pair, await codeOf(requestId), { reason: 'keyCompromise' })).toEqual({
      serialNumber,
      revokedAt,
    });
    expect(revoked.at(-1)).toEqual({ serialNumber, reason: 'keyCompromise' });
    expect((await ground.timelineOf(requestId)).slice(-2)).toEqual(['sendRevokeCode', 'revoke']);
    const audit = await ground.intake.operators(asOperator('viewer')).audit.list.query({ limit: 1 });
    expect(audit.items[0]).toMatchObject({ action: 'certificates.revoke', actor: 'holder' });
    const row = await ground.intake.query(
      'select certificate_status as status from intake.request where id = $1',
      [requestId],
    );
    expect(row).toEqual([{ status: 'REVOKED' }]);
  });

  it('revokes by the link of the claim, where it is told what is wrong with a code', async () => {
    const { requestId, serialNumber, link } = await issued();
    await send(link);
    const code = await codeOf(requestId);
    await expect(revoke(link, otherThan(code))).rejects.toMatchObject({
      message: expect.stringContaining('tries left: 4'),
    });
    expect(await revoke(link, code)).toEqual({ serialNumber, revokedAt });
    await expect(revoke(link, code)).rejects.toMatchObject(fault('OTP_EXPIRED'));
  });

  it('has the same code once more where generation did not answer', async () => {
    const { requestId, serialNumber, pair } = await issued();
    await send(pair);
    const code = await codeOf(requestId);
    await generation.away(async () => {
      await expect(revoke(pair, code)).rejects.toMatchObject(fault('SERVICE_UNAVAILABLE'));
    });
    expect(await revoke(pair, code)).toEqual({ serialNumber, revokedAt });
  });

  it('is told that it was revoked before, once the code is right', async () => {
    const { requestId, pair } = await issued();
    await send(pair);
    await revoke(pair, await codeOf(requestId));
    await send(pair);
    await expect(revoke(pair, await codeOf(requestId))).rejects.toMatchObject(
      fault('CERTIFICATE_ALREADY_REVOKED'),
    );
  });

  it('revokes with no code of a download', async () => {
    const { requestId, link } = await issued();
    await ground.claims.sendCode.mutate({ ...link, language: 'es' });
    const code = await ground.secretOf(requestId, 'download-code');
    await expect(revoke(link, code)).rejects.toMatchObject(fault('OTP_EXPIRED'));
  });
});

describe('whoever has no code', () => {
  it('learns nothing: a pair that is there and one that is not are answered alike', async () => {
    const { requestId, pair } = await issued();
    const absent = { ...pair, serialNumber: 'FFFFFFFFFFFFFFFF' };
    const mixed = { ...pair, identificationNumber: '1710034073' };
    for (const target of [pair, absent, mixed]) expect(await send(target)).toEqual({});
    const wrong = otherThan(await codeOf(requestId));
    const answers = await Promise.all(
      [pair, absent, mixed].map((target) =>
        revoke(target, wrong).catch((error: { message: string; data: object }) => ({
          message: error.message,
          appCode: (error.data as { appCode: string }).appCode,
          details: (error.data as { details?: unknown }).details,
        })),
      ),
    );
    expect(answers[0]).toMatchObject({ appCode: 'OTP_INVALID' });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('guesses five times at most, and cannot tell when the guesses are over', async () => {
    const { requestId, pair, serialNumber } = await issued();
    await send(pair);
    const code = await codeOf(requestId);
    const guesses = [
      otherThan(code),
      otherThan(code),
      otherThan(code),
      otherThan(code),
      otherThan(code),
      code,
    ];
    for (const guess of guesses)
      await expect(revoke(pair, guess)).rejects.toMatchObject(fault('OTP_INVALID'));
    expect(revoked.some((one) => one.serialNumber === serialNumber)).toBe(false);
  });

  it('takes no code of the claim away, however often it asks and guesses', async () => {
    const { pair, link } = await issued();
    await ground.claims.sendCode.mutate({ ...link, language: 'es' });
    for (const _ of [1, 2, 3]) {
      await send(pair);
      for (const guess of Array(5).fill('not a code')) await revoke(pair, guess).catch(() => undefined);
    }
    const view = await ground.claims.view.query(link);
    expect(view.code).toMatchObject({ triesLeft: 5 });
  });

  it('has no more than five codes an hour sent, and is not told so', async () => {
    const { requestId, pair } = await issued();
    for (const _ of [1, 2, 3, 4, 5, 6]) expect(await send(pair)).toEqual({});
    const sent = await ground.intake.query(
      "select 1 from intake.claim_code where request_id = $1 and purpose = 'revoke'",
      [requestId],
    );
    expect(sent).toHaveLength(5);
  });
});

it('killed after generation has revoked, intake has lost nothing but its note: the repeat says that it is revoked', async () => {
  const { requestId, pair, serialNumber } = await issued();
  await send(pair);
  const code = await codeOf(requestId);
  await ground.intake.stopService();
  const { env } = ground.intake.ground;
  await arm(env, crashPoints.afterOwnRevocation);
  await using first = startProcess(env);
  const isUp = () => ground.claims.view.query({ sealedToken: '' }).catch((error: unknown) => error);
  await pollFor(async () => !isUnanswered(await isUp()));
  const [unanswered, [, signal]] = await Promise.all([
    revoke(pair, code).catch((error: unknown) => error),
    first.ended,
  ]);
  expect(unanswered).toBeInstanceOf(Error);
  expect(signal).toBe('SIGKILL');
  expect(revoked.at(-1)).toMatchObject({ serialNumber });

  await using _second = startProcess(env);
  await pollFor(async () => !isUnanswered(await isUp()));
  await expect(revoke(pair, code)).rejects.toMatchObject(fault('CERTIFICATE_ALREADY_REVOKED'));
});

function isUnanswered(error: unknown): boolean {
  return (error as { data?: { appCode?: string } }).data?.appCode === undefined;
}
