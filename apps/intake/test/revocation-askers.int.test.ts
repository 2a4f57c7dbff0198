import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { fault, otherThan } from './support/claims.ts';
import { type Browser, newBrowser, revocationGround } from './support/revocations.ts';

const scene = await disposeAfterAll(revocationGround());

function issued() {
  return scene.issued();
}
type Issued = Awaited<ReturnType<typeof issued>>;

async function ask({ requestId, pair }: Issued, browser: Browser): Promise<string | undefined> {
  const before = await scene.sentTo(requestId);
  await scene.send(pair, browser);
  return (await scene.sentTo(requestId)) > before ? scene.codeOf(requestId) : undefined;
}
function isRevoked({ serialNumber }: Issued): boolean {
  return scene.revoked.some((one) => one.serialNumber === serialNumber);
}

/** Eighteen requests of a stranger who has a document that the subscriber signed. */
async function attack({ requestId, pair }: Issued, stranger: Browser): Promise<void> {
  for (const _ of [1, 2, 3]) {
    await scene.send(pair, stranger);
    const wrong = otherThan(await scene.codeOf(requestId));
    for (const __ of [1, 2, 3, 4, 5])
      await scene.revoke(pair, wrong, { browser: stranger }).catch(() => undefined);
  }
}

describe('a stranger who asks three times and guesses fifteen times', () => {
  it('keeps nobody from revoking by the numbers of the certificate in another browser', async () => {
    const certificate = await issued();
    await attack(certificate, newBrowser());
    const own = newBrowser();
    const code = await ask(certificate, own);
    expect(code).toMatch(/^\d{6}$/);
    await scene.revoke(certificate.pair, code ?? '', { browser: own });
    expect(isRevoked(certificate)).toBe(true);
  });

  it('keeps nobody from revoking by the link of the claim', async () => {
    const certificate = await issued();
    await attack(certificate, newBrowser());
    await scene.send(certificate.link);
    await scene.revoke(certificate.link, await scene.codeOf(certificate.requestId));
    expect(isRevoked(certificate)).toBe(true);
  });

  it('does not end a code that the subscriber has', async () => {
    const certificate = await issued();
    const own = newBrowser();
    const code = (await ask(certificate, own)) ?? '';
    await scene.send(certificate.link);
    const byLink = await scene.codeOf(certificate.requestId);
    await attack(certificate, newBrowser());
    await expect(scene.revoke(certificate.link, otherThan(byLink))).rejects.toMatchObject({
      message: expect.stringContaining('tries left: 4'),
    });
    await scene.revoke(certificate.pair, code, { browser: own });
    expect(isRevoked(certificate)).toBe(true);
  });
});

describe('a code', () => {
  it('asked for in one browser is none in another, though it is right', async () => {
    const certificate = await issued();
    const [own, other] = [newBrowser(), newBrowser()];
    const code = (await ask(certificate, own)) ?? '';
    const { pair } = certificate;
    await expect(scene.revoke(pair, code, { browser: other })).rejects.toMatchObject(fault('OTP_INVALID'));
    await expect(scene.revoke(pair, code)).rejects.toMatchObject(fault('OTP_INVALID'));
    await expect(scene.revoke(certificate.link, code)).rejects.toMatchObject(fault('OTP_EXPIRED'));
    expect(isRevoked(certificate)).toBe(false);
    await scene.revoke(pair, code, { browser: own });
    expect(isRevoked(certificate)).toBe(true);
  });

  it('asked for by the link is none of the numbers', async () => {
    const certificate = await issued();
    await scene.send(certificate.link);
    const code = await scene.codeOf(certificate.requestId);
    await expect(scene.revoke(certificate.pair, code, { browser: newBrowser() })).rejects.toMatchObject(
      fault('OTP_INVALID'),
    );
    await scene.revoke(certificate.link, code);
    expect(isRevoked(certificate)).toBe(true);
  });

  it('stays good beside the next one of its browser', async () => {
    const certificate = await issued();
    const own = newBrowser();
    const first = (await ask(certificate, own)) ?? '';
    let second = (await ask(certificate, own)) ?? '';
    if (second === first) second = (await ask(certificate, own)) ?? '';
    expect(second).not.toBe(first);
    await scene.revoke(certificate.pair, first, { browser: own });
    expect(isRevoked(certificate)).toBe(true);
  });

  it('of one certificate is none of another, in the same browser', async () => {
    const [one, other] = [await issued(), await issued()];
    const own = newBrowser();
    const code = (await ask(one, own)) ?? '';
    let theirs = (await ask(other, own)) ?? '';
    if (theirs === code) theirs = (await ask(other, own)) ?? '';
    await expect(scene.revoke(other.pair, code, { browser: own })).rejects.toMatchObject(
      fault('OTP_INVALID'),
    );
    expect(isRevoked(other)).toBe(false);
  });

  it('is compared five times at most, however many guesses come at once', async () => {
    const certificate = await issued();
    const own = newBrowser();
    const code = (await ask(certificate, own)) ?? '';
    await Promise.allSettled(
      Array.from({ length: 20 }, () => scene.revoke(certificate.pair, otherThan(code), { browser: own })),
    );
    const [row] = await scene.ground.intake.query<{ wrong: number }>(
      "select wrong_tries as wrong from intake.claim_code where request_id = $1 and purpose = 'revoke'",
      [certificate.requestId],
    );
    expect(row?.wrong).toBe(5);
    await expect(scene.revoke(certificate.pair, code, { browser: own })).rejects.toMatchObject(
      fault('OTP_INVALID'),
    );
    expect(isRevoked(certificate)).toBe(false);
  });

  it('wrong for one of a browser is wrong for all of them', async () => {
    const certificate = await issued();
    const own = newBrowser();
    await ask(certificate, own);
    const code = (await ask(certificate, own)) ?? '';
    for (const _ of [1, 2, 3, 4, 5])
      await scene.revoke(certificate.pair, 'not a code', { browser: own }).catch(() => undefined);
    await expect(scene.revoke(certificate.pair, code, { browser: own })).rejects.toMatchObject(
      fault('OTP_INVALID'),
    );
  });

  it('is over after five minutes', async () => {
    const certificate = await issued();
    const own = newBrowser();
    const code = (await ask(certificate, own)) ?? '';
    scene.ground.pass(5 * MINUTE_MS);
    await expect(scene.revoke(certificate.pair, code, { browser: own })).rejects.toMatchObject(
      fault('OTP_INVALID'),
    );
  });
});

describe('codes by the numbers of a certificate', () => {
  it('go to one address three times an hour and six times a day, in however many browsers', async () => {
    const certificate = await issued();
    const { address } = newBrowser();
    const sent = async (times: number) => {
      for (let asked = 0; asked < times; asked += 1) await scene.send(certificate.pair, newBrowser(address));
      return scene.sentTo(certificate.requestId);
    };
    expect(await sent(5)).toBe(3);
    scene.ground.pass(HOUR_MS);
    expect(await sent(5)).toBe(6);
    scene.ground.pass(HOUR_MS);
    expect(await sent(2)).toBe(6);
    expect(await ask(certificate, newBrowser())).toMatch(/^\d{6}$/);
    scene.ground.pass(DAY_MS);
    expect(await sent(1)).toBe(8);
  });

  it('go to one telephone ten times an hour and twenty times a day, over all its certificates and addresses', async () => {
    const telephone = { cellphoneNumber: '+593987000001' };
    const certificates = [await scene.issued(telephone), await scene.issued(telephone)];
    const sent = async (times: number) => {
      for (let asked = 0; asked < times; asked += 1) {
        const target = certificates[asked % 2]?.pair;
        if (target !== undefined) await scene.send(target, newBrowser());
      }
      const counts = await Promise.all(certificates.map(({ requestId }) => scene.sentTo(requestId)));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    expect(await sent(12)).toBe(10);
    scene.ground.pass(HOUR_MS);
    expect(await sent(12)).toBe(20);
    scene.ground.pass(HOUR_MS);
    expect(await sent(2)).toBe(20);
    scene.ground.pass(DAY_MS);
    expect(await sent(1)).toBe(21);
  });

  it('asked for at once go no further', async () => {
    const certificate = await issued();
    await Promise.all(Array.from({ length: 30 }, () => scene.send(certificate.pair, newBrowser())));
    expect(await scene.sentTo(certificate.requestId)).toBe(10);
  });

  it('that are used up leave the link of the claim its own', async () => {
    const certificate = await issued();
    await Promise.all(Array.from({ length: 20 }, () => scene.send(certificate.pair, newBrowser())));
    expect(await ask(certificate, newBrowser())).toBeUndefined();
    await scene.send(certificate.link);
    await scene.revoke(certificate.link, await scene.codeOf(certificate.requestId));
    expect(isRevoked(certificate)).toBe(true);
  });

  it('wait their seconds in one browser alone', async () => {
    await using slow = await revocationGround({ CLAIM_CODE_INTERVAL_SECONDS: '20' });
    const { requestId, pair } = await slow.issued();
    const own = newBrowser();
    await slow.send(pair, own);
    await slow.send(pair, own);
    expect(await slow.sentTo(requestId)).toBe(1);
    await slow.send(pair, newBrowser());
    expect(await slow.sentTo(requestId)).toBe(2);
  });
});

describe('beside the release before', () => {
  it('a gateway that names no browser sends and takes codes as it did, five an hour', async () => {
    const certificate = await issued();
    const { requestId, pair } = certificate;
    for (const _ of [1, 2, 3, 4, 5, 6]) await scene.send(pair);
    expect(await scene.sentTo(requestId)).toBe(5);
    await scene.revoke(pair, await scene.codeOf(requestId));
    expect(isRevoked(certificate)).toBe(true);
  });

  it('fifteen wrong codes without a browser lock no code that has one', async () => {
    const certificate = await issued();
    const { requestId, pair } = certificate;
    for (const _ of [1, 2, 3]) {
      await scene.send(pair);
      const wrong = otherThan(await scene.codeOf(requestId));
      for (const __ of [1, 2, 3, 4, 5]) await scene.revoke(pair, wrong).catch(() => undefined);
    }
    const own = newBrowser();
    await scene.revoke(pair, (await ask(certificate, own)) ?? '', { browser: own });
    expect(isRevoked(certificate)).toBe(true);
  });

  it('a code that intake of that release has sent is refused, and the next one is good', async () => {
    const certificate = await issued();
    const { requestId, link } = certificate;
    await scene.send(link);
    const code = await scene.codeOf(requestId);
    await scene.ground.intake.query('update intake.claim_code set way = null where request_id = $1', [
      requestId,
    ]);
    await expect(scene.revoke(link, code)).rejects.toMatchObject(fault('OTP_EXPIRED'));
    await scene.send(link);
    await scene.revoke(link, await scene.codeOf(requestId));
    expect(isRevoked(certificate)).toBe(true);
  });
});
