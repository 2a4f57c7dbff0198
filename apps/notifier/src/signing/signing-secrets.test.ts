import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type AttemptGrant, createSigningSecrets, OtherDestination } from './signing-secrets.ts';

const url = 'https://partner.example/hook';
const delivery = { id: 'event-1', partnerId: 'partner-1', url };
const destinationSha256 = createHash('sha256').update(url).digest('hex');
const grantOf = (...sealedSecrets: string[]): AttemptGrant => ({ sealedSecrets, destinationSha256 });

function setUp(fetch: () => Promise<AttemptGrant> = async () => grantOf('fresh', 'older')) {
  const state = { nowMs: 0, asked: 0, openedFor: [] as string[] };
  const deps = {
    intake: {
      'events.signing': () => {
        state.asked++;
        return fetch();
      },
    },
    keyring: {
      openText: async (sealed: string, { owner }: { owner: string }) => {
        state.openedFor.push(owner);
        return `opened ${sealed}`;
      },
      verifyStatement: () => {
        throw new Error('no grant here has a statement');
      },
    },
    clock: () => new Date(),
    deliveryStatements: 'accepted',
    nowMs: () => state.nowMs,
  } as const;
  const secrets = createSigningSecrets(deps, 2);
  return { secrets, state };
}

describe('createSigningSecrets', () => {
  it('uses what came with the event for one attempt, and asks for each further one', async () => {
    const { secrets, state } = setUp();
    secrets.keep(delivery, grantOf('said'), 0);
    expect(await secrets.of(delivery)).toEqual(['opened said']);
    expect(state.asked).toBe(0);
    expect(await secrets.of(delivery)).toEqual(['opened fresh', 'opened older']);
    expect(await secrets.of(delivery)).toEqual(['opened fresh', 'opened older']);
    expect(state.asked).toBe(2);
  });

  it('signs nothing, 5 s after it was asked for, with what came, because secrets are ended', async () => {
    const { secrets, state } = setUp();
    const askedAt = secrets.now();
    // The answer was slow, and so was what came before the attempt.
    state.nowMs = 3_000;
    secrets.keep(delivery, grantOf('said'), askedAt);
    state.nowMs = 5_000;
    expect(await secrets.of(delivery)).toEqual(['opened fresh', 'opened older']);
  });

  it('signs nothing with what came with another event, and nothing while intake is away', async () => {
    const { secrets } = setUp(() => Promise.reject(new Error('away')));
    secrets.keep({ ...delivery, id: 'event-2' }, grantOf('said'), 0);
    await expect(secrets.of(delivery)).rejects.toThrow('away');
  });

  it('opens a secret for each partner anew: that one partner may have it does not give it to another', async () => {
    const { secrets, state } = setUp();
    for (const partnerId of ['partner-1', 'partner-2']) {
      secrets.keep({ ...delivery, partnerId }, grantOf('the same'), 0);
      await secrets.of({ ...delivery, partnerId });
    }
    expect(state.openedFor).toEqual(['partner-1', 'partner-2']);
  });

  it('keeps what came with a bounded number of events', async () => {
    const { secrets, state } = setUp();
    for (const id of ['event-1', 'event-2', 'event-3']) secrets.keep({ ...delivery, id }, grantOf('said'), 0);
    expect(await secrets.of({ ...delivery, id: 'event-3' })).toEqual(['opened said']);
    expect(await secrets.of(delivery)).toEqual(['opened fresh', 'opened older']);
    expect(state.asked).toBe(1);
  });

  it('gives no secret for another destination than was granted, with the event or later', async () => {
    const { secrets, state } = setUp();
    const altered = { ...delivery, url: 'https://elsewhere.example/hook' };
    secrets.keep(delivery, grantOf('said'), 0);
    await expect(secrets.of(altered)).rejects.toThrow(OtherDestination);
    await expect(secrets.of(altered)).rejects.toThrow(OtherDestination);
    expect(() => secrets.keep(altered, grantOf('said'), 0)).toThrow(OtherDestination);
    expect(state.openedFor).toEqual([]);
    expect(await secrets.of(delivery)).toEqual(['opened fresh', 'opened older']);
  });
});
