import type { Sealed } from '@rubrica/database';
import { describe, expect, it } from 'vitest';
import { createSigningSecrets } from './signing-secrets.ts';

const delivery = { id: 'event-1', partnerId: 'partner-1', secrets: ['stored' as Sealed] };

function setUp(fetch: () => Promise<string[]> = async () => ['fresh', 'older']) {
  const state = { nowMs: 0, asked: 0, opened: 0, openedFor: [] as string[] };
  const secrets = createSigningSecrets({
    fetch: () => {
      state.asked++;
      return fetch();
    },
    open: async (sealed, partnerId) => {
      state.opened++;
      state.openedFor.push(partnerId);
      return `opened ${sealed}`;
    },
    nowMs: () => state.nowMs,
    maxAgeMs: 1_000,
    maxPartners: 2,
  });
  return { secrets, state };
}

describe('createSigningSecrets', () => {
  it('uses what intake said a moment ago', async () => {
    const { secrets, state } = setUp();
    secrets.remember('partner-1', ['said']);
    expect(await secrets.of(delivery)).toEqual(['opened said']);
    expect(state.asked).toBe(0);
  });

  it('asks again once that is old, because secrets are replaced', async () => {
    const { secrets, state } = setUp();
    secrets.remember('partner-1', ['said']);
    state.nowMs = 1_000;
    expect(await secrets.of(delivery)).toEqual(['opened fresh', 'opened older']);
    expect(await secrets.of(delivery)).toEqual(['opened fresh', 'opened older']);
    expect(state).toMatchObject({ asked: 1, opened: 2 });
  });

  it('falls back to the stored ones while intake is away, and does not take them for valid', async () => {
    const { secrets, state } = setUp(() => Promise.reject(new Error('away')));
    expect(await secrets.of(delivery)).toEqual(['opened stored']);
    expect(await secrets.of(delivery)).toEqual(['opened stored']);
    expect(state.asked).toBe(2);
  });

  it('opens a secret for each partner anew: that one partner may have it does not give it to another', async () => {
    const { secrets, state } = setUp();
    for (const partnerId of ['partner-1', 'partner-2']) {
      secrets.remember(partnerId, ['the same']);
      await secrets.of({ ...delivery, partnerId });
    }
    expect(state.openedFor).toEqual(['partner-1', 'partner-2']);
  });

  it('remembers a bounded number of partners', async () => {
    const { secrets, state } = setUp();
    for (const partnerId of ['partner-1', 'partner-2', 'partner-3']) secrets.remember(partnerId, ['said']);
    expect(await secrets.of({ ...delivery, partnerId: 'partner-3' })).toEqual(['opened said']);
    expect(await secrets.of(delivery)).toEqual(['opened fresh', 'opened older']);
    expect(state.asked).toBe(1);
  });
});
