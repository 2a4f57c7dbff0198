import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { operator, secondAdministrator } from './support/callers.ts';
import { runningTerms } from './support/running-terms.ts';

/** Whoever stands where intake's answers come from, without intake's key. */
const terms = await disposeAfterAll(runningTerms());

beforeEach(() => {
  terms.administrators.grant({});
  terms.administrators.state({});
});

const first = () => terms.operatorClient(operator('admin')).terms;
const second = () => terms.operatorClient(secondAdministrator);
const isActive = async (id: string) =>
  (await first().list.query({})).items.some((version) => version.id === id && version.active);

async function proposed() {
  const text = { type: 'TRADITIONAL_SIGNATURE', version: uuidv7(), content: 'text' } as const;
  const { id } = await first().createVersion.mutate(text);
  return { id, approvalId: (await first().activate.mutate({ id })).approvalId ?? '' };
}

describe('a change is approved only by a word that intake has signed', () => {
  const seconds = Math.floor(Date.now() / 1_000);
  it.each([
    ['for another digest', { digest: 'ab'.repeat(32) }],
    ['for another operator', { sub: operator('admin').operatorId }],
    ['to another service', { aud: 'generation' }],
    ['that has ended', { iat: seconds - 61, exp: seconds - 1 }],
    ['that lives too long', { exp: seconds + 3_600 }],
  ])('and not by one %s', async (_what, claims) => {
    const { id, approvalId } = await proposed();
    terms.administrators.grant({ claims });
    await expect(second().approvals.approve.mutate({ id: approvalId })).rejects.toMatchObject({
      data: { appCode: 'FORBIDDEN' },
    });
    expect(await isActive(id)).toBe(false);
    terms.administrators.grant({});
    await second().approvals.approve.mutate({ id: approvalId });
    expect(await isActive(id)).toBe(true);
  });

  it('and not by the word of another service', async () => {
    const { id, approvalId } = await proposed();
    const { keyring: signer } = await terms.ground.peer('gateway');
    terms.administrators.grant({ claims: { iss: 'intake' }, signer });
    await expect(second().approvals.approve.mutate({ id: approvalId })).rejects.toMatchObject({
      data: { appCode: 'FORBIDDEN' },
    });
    expect(await isActive(id)).toBe(false);
  });
});

describe('how administrators stand is what intake has signed in answer to this question', () => {
  const seconds = Math.floor(Date.now() / 1_000);
  const refuses = async () => {
    const { id, approvalId } = await proposed();
    return async (forged: Parameters<typeof terms.administrators.state>[0]) => {
      terms.administrators.state(forged);
      await expect(second().approvals.approve.mutate({ id: approvalId })).rejects.toMatchObject({
        data: { appCode: 'SERVICE_UNAVAILABLE' },
      });
      terms.administrators.state({});
      expect(await isActive(id)).toBe(false);
      await second().approvals.approve.mutate({ id: approvalId });
      expect(await isActive(id)).toBe(true);
    };
  };

  it.each([
    ['to another service', { aud: 'generation' }],
    ['of another operator', { operatorId: operator('admin').operatorId }],
    ['of another proposer', { proposedBy: null }],
    ['to an earlier question', { nonce: uuidv7() }],
    ['of another time', { iat: seconds - 600, exp: seconds - 540 }],
    ['of a time to come', { iat: seconds + 600, exp: seconds + 660 }],
  ])('and not an answer %s', async (_what, claims) => {
    await (await refuses())({ claims });
  });

  it('and not the word of another service, or nobody’s', async () => {
    const { keyring: signer } = await terms.ground.peer('gateway');
    await (await refuses())({ claims: { iss: 'intake' }, signer });
    await (await refuses())({ isAbsent: true });
  });
});
