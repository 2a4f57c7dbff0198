import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { type ClaimGround, claimGround, fault } from './support/claims.ts';

const ground = await disposeAfterAll(claimGround({ RESEND_INTERVAL_SECONDS: '60' }));

type Link = Awaited<ReturnType<ClaimGround['approved']>>;
const minute = 61_000;

async function newestLink(requestId: string): Promise<Link> {
  const token = await ground.secretOf(requestId, 'claim');
  return { requestId, token, sealedToken: await ground.sealToken(token) };
}

/** A link that a newer one replaced, as a resend by the partner does. */
async function replaced(): Promise<Link> {
  const link = await ground.approved({ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined });
  ground.pass(minute);
  await ground.otp.resendLink.mutate({ family: 'TV', requestId: link.requestId, faults: [] });
  return link;
}

function dead({ sealedToken }: Link) {
  return ground.claims.deadLink.query({ sealedToken });
}
function renew({ sealedToken }: Link) {
  return ground.claims.renewLink.mutate({ sealedToken });
}

describe('a link that a newer one replaced', () => {
  it('names the partner and nothing of the applicant', async () => {
    const answer = await dead(await replaced());
    expect(answer).toMatchObject({ reason: 'REPLACED', partnerName: 'Partner otp' });
    const known = ['hasLogo', 'partnerEmail', 'partnerName', 'reason', 'renewableAt'];
    expect(Object.keys(answer).toSorted()).toEqual(known);
    expect(JSON.stringify(answer)).not.toMatch(/jane|María|593/);
  });

  it('brings another to the address on file, and nothing to who asks', async () => {
    const link = await replaced();
    await expect(renew(link)).rejects.toMatchObject({
      data: { appCode: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) },
    });
    ground.pass(minute);
    const before = await newestLink(link.requestId);
    expect(await renew(link)).toEqual({});
    const after = await newestLink(link.requestId);
    expect(after.token).not.toBe(before.token);
    expect(await ground.messageOf(link.requestId, 'claim')).toMatchObject({ to: 'jane@mail.com' });
    expect(await ground.claims.view.query(after)).toMatchObject({ state: 'OPEN' });
    await expect(ground.claims.view.query(before)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    expect(await dead(before)).toMatchObject({ reason: 'REPLACED' });
  });

  it('does so five times, of which none is taken from the partner', async () => {
    const link = await replaced();
    for (const _ of [1, 2, 3, 4, 5]) {
      ground.pass(minute);
      await renew(link);
    }
    ground.pass(minute);
    await expect(renew(link)).rejects.toMatchObject(fault('RESEND_LIMIT_EXCEEDED'));
    expect(await dead(link)).toMatchObject({ renewableAt: null });
    const { requestId } = link;
    expect(await ground.otp.resendLink.mutate({ family: 'TV', requestId, faults: [] })).toMatchObject({
      resendCount: 2,
    });
  });

  it('asked twice at once sends one mail', async () => {
    const link = await replaced();
    ground.pass(minute);
    const asked = await Promise.allSettled([renew(link), renew(link)]);
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('brings nothing once the request was claimed or has ended', async () => {
    const claimed = await replaced();
    const live = await newestLink(claimed.requestId);
    await ground.claim(live, await ground.sendCode(live));
    const cancelled = await replaced();
    await ground.otp.cancel.mutate({ family: 'TV', requestId: cancelled.requestId, faults: [] });
    ground.pass(minute);
    for (const link of [claimed, cancelled]) {
      expect(await dead(link)).toMatchObject({ renewableAt: null });
      await expect(renew(link)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    }
  });
});

describe('a link whose claim window is over', () => {
  it('names the partner, who alone can help, for thirty days more', async () => {
    const link = await ground.approved({ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined });
    ground.pass(50 * DAY_MS + minute);
    const seen = () => dead(link);
    expect(await seen()).toMatchObject({ reason: 'EXPIRED', partnerName: 'Partner otp', renewableAt: null });
    await expect(renew(link)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
    await ground.sweep();
    expect(await seen()).toMatchObject({ reason: 'EXPIRED', renewableAt: null });
    ground.pass(30 * DAY_MS);
    await expect(seen()).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
    await ground.sweep();
    const rows = await ground.intake.query('select 1 from intake.claim_link where request_id = $1', [
      link.requestId,
    ]);
    expect(rows).toEqual([]);
  });
});

it('a link that lives, or was never given out, is no dead one', async () => {
  const link = await ground.approved({ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined });
  await expect(dead(link)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
  await expect(renew(link)).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
  const madeUp = { ...link, sealedToken: await ground.sealToken('made up') };
  await expect(dead(madeUp)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
  await expect(renew(madeUp)).rejects.toMatchObject(fault('CLAIM_LINK_INVALID'));
});
