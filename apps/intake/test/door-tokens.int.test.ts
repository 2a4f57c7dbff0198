import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import type { Keyring } from '@rubrica/process/keyring';
import { createCallTokenVerifier, signAccessToken, signCallToken } from '@rubrica/process/tokens';
import type { PartnerCaller } from '@rubrica/process/trpc';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { changeOperator, changePartner } from './support/own-database.ts';
import {
  asOperator,
  asPartner,
  byTwo,
  partnerIds,
  runningIntake,
  secondAdministrator,
} from './support/running-intake.ts';

/** What whoever has broken into a service tries with its keys and its user on the bus. */
const intake = await disposeAfterAll(runningIntake());
const keyringOf = async (name: keyof typeof keyrings) => (await intake.ground.peer(name)).keyring;
const keyrings: Readonly<Record<'intake' | 'gateway' | 'notifier' | 'terms', Keyring>> = {
  intake: await keyringOf('intake'),
  gateway: await keyringOf('gateway'),
  notifier: await keyringOf('notifier'),
  terms: await keyringOf('terms'),
};

const baseUrl = 'http://127.0.0.1:3000';
const administrator = asOperator('admin') as VouchedCaller;
const partner = asPartner('other') as PartnerCaller;

interface Made {
  readonly signer?: Keyring;
  readonly gen?: number;
  readonly exchangedFor?: string;
}
function accessToken(caller: VouchedCaller, { signer = keyrings.intake, gen = 1, exchangedFor }: Made = {}) {
  return signAccessToken(
    signer,
    { caller, gen, exchangedFor },
    { baseUrl, nowMs: Date.now(), lifeSeconds: 60 },
  );
}
const sealed = (token: string, { owner = 'gateway', to = 'intake' } = {}) =>
  keyrings.gateway.sealTo(to, token, { purpose: 'door-token', owner });

const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: { data?: { appCode?: string } }) => error.data?.appCode ?? 'no answer',
  );
const shown = (token: string) => ({ context: { headers: { authorization: `Bearer ${token}` } } });
const gateway = { kind: 'service', name: 'gateway' } as const;

/** The gateway's user asks as an operator, and as a partner. */
const lists = (token: string) => outcome(intake.operators(gateway).partners.list.query({}, shown(token)));
const unknown = { family: 'TV', referenceTransaction: 'nothing' } as const;
const status = (token: string) =>
  outcome(intake.client(gateway).requests.status.query(unknown, shown(token)));

describe('with the keys of the gateway', () => {
  it('an administrator who does not exist, or has not signed in, does nothing', async () => {
    const nobody = { ...administrator, operatorId: '01900000-0000-7000-8000-00000000dead' };
    for (const caller of [administrator, nobody]) {
      const own = accessToken(caller, { signer: keyrings.gateway });
      expect(await lists(await sealed(own))).toBe('UNAUTHENTICATED');
      const asIntake = keyrings.gateway.signStatement('rubrica-identity+jwt', { ...caller, iss: 'intake' });
      for (const token of [own, asIntake, await sealed(asIntake), await sealed('')])
        expect(await lists(token)).toBe('UNAUTHENTICATED');
    }
  });

  it('nor does a partner who has not signed in', async () => {
    const own = accessToken(partner, { signer: keyrings.gateway });
    for (const token of [own, await sealed(own)]) expect(await status(token)).toBe('UNAUTHENTICATED');
  });

  it('an access token is taken sealed to intake for that door alone', async () => {
    const token = accessToken(administrator);
    expect(await lists(await sealed(token))).toBe('answered');
    expect(await lists(token)).toBe('UNAUTHENTICATED');
    expect(await lists(await sealed(token, { to: 'terms' }))).toBe('UNAUTHENTICATED');
    expect(await lists(await sealed(token, { owner: 'notifier' }))).toBe('UNAUTHENTICATED');
    const other = { purpose: 'entered-token', owner: 'gateway' } as const;
    expect(await lists(await keyrings.gateway.sealTo('intake', token, other))).toBe('UNAUTHENTICATED');
  });

  it('a call token opens no door', async () => {
    const options = { receiver: 'intake', givenTo: 'gateway', nowMs: Date.now() } as const;
    const token = signCallToken(keyrings.intake, administrator, options);
    for (const one of [token, await sealed(token)]) expect(await lists(one)).toBe('UNAUTHENTICATED');
  });

  it('no call token is made of what no door took', async () => {
    const { tokens } = intake.client(gateway);
    const own = accessToken(administrator, { signer: keyrings.gateway });
    for (const sealedToken of [await sealed(own), own, accessToken(administrator)]) {
      const asked = tokens.forCall.query({ sealedToken, receiver: 'terms' });
      expect(await outcome(asked)).toBe('UNAUTHENTICATED');
    }
  });
});

it('what the gateway has sealed is worth nothing to another service, also where intake remembers it', async () => {
  const token = await sealed(accessToken(partner));
  const { partners } = await intake.peer('notifier');
  const contact = () => outcome(partners.contact.query({ partnerId: partnerIds.other }, shown(token)));
  expect(await contact()).toBe('UNAUTHENTICATED');
  expect(await status(token)).toBe('REQUEST_NOT_FOUND');
  expect(await contact()).toBe('UNAUTHENTICATED');
});

it('a partner may what token and row both say, at each call', async () => {
  const { partnerId } = partner;
  const token = await sealed(accessToken({ ...partner, scopes: ['status:read', 'manager:write'] }));
  const { requests } = intake.client(gateway);
  const cancel = () => outcome(requests.cancel.mutate({ ...unknown, faults: [] }, shown(token)));
  expect(await cancel()).toBe('REQUEST_NOT_FOUND');
  // Without the loss that an administrator's change would write down: the row alone says it.
  await changePartner(intake.ground, partnerId, { scopes: ['status:read', 'collector:write'] });
  await expect.poll(cancel, { timeout: 5_000, interval: 250 }).toBe('FORBIDDEN');
  expect(await status(token)).toBe('REQUEST_NOT_FOUND');
});

it('what an API token was exchanged for ends with it, also where the gateway goes on showing it', async () => {
  const owner = asPartner('otp') as PartnerCaller;
  const id = owner.partnerId;
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const issue = (name: string) =>
    byTwo(intake, ({ partners }) => partners.issueToken.mutate({ id, name, expiresAt }));
  const { tokenId } = await issue('till');
  const exchanged = await sealed(accessToken(owner, { exchangedFor: tokenId }));
  expect(await status(exchanged)).toBe('REQUEST_NOT_FOUND');
  await intake.operators(asOperator('admin')).partners.revokeToken.mutate({ tokenId });
  await expect.poll(() => status(exchanged), { timeout: 5_000, interval: 250 }).toBe('UNAUTHENTICATED');
  const ofNone = await sealed(accessToken(owner, { exchangedFor: id }));
  expect(await status(ofNone)).toBe('UNAUTHENTICATED');
});

describe('a call token', () => {
  const askFor = (sealedToken: string) =>
    intake.client(gateway).tokens.forCall.query({ sealedToken, receiver: 'terms' });
  const nowMs = () => Date.now();
  const atTerms = () => createCallTokenVerifier({ keyring: keyrings.terms, self: 'terms', nowMs });

  it('says who it is to that receiver alone, from the gateway alone', async () => {
    const { callToken } = await askFor(await sealed(accessToken(administrator)));
    expect(await atTerms()(callToken, 'gateway')).toEqual(administrator);
    expect(() => atTerms()(callToken, 'intake')).toThrow(/given to gateway/);
    const elsewhere = createCallTokenVerifier({ keyring: keyrings.notifier, self: 'notifier', nowMs });
    expect(() => elsewhere(callToken, 'gateway')).toThrow(/it is for terms/);
  });

  it('is made by the rows as they are now, not as they are remembered', async () => {
    const { operatorId } = secondAdministrator;
    const token = await sealed(accessToken(secondAdministrator));
    // Remembered now.
    expect(await lists(token)).toBe('answered');
    // As another copy does it: this one hears nothing of it.
    await changeOperator(intake.ground, operatorId, { role: 'viewer' });
    const { callToken } = await askFor(token);
    expect(await atTerms()(callToken, 'gateway')).toMatchObject({ operatorId, role: 'viewer' });
    await changeOperator(intake.ground, operatorId, { gen: 2 });
    expect(await outcome(askFor(token))).toBe('UNAUTHENTICATED');
    const anew = await sealed(accessToken(secondAdministrator, { gen: 2 }));
    expect(await outcome(askFor(anew))).toBe('answered');
    await changeOperator(intake.ground, operatorId, { enabled: false });
    expect(await outcome(askFor(anew))).toBe('UNAUTHENTICATED');
  });

  it('is refused to a partner that is switched off', async () => {
    const token = await sealed(accessToken(partner));
    expect(await outcome(askFor(token))).toBe('answered');
    await changePartner(intake.ground, partnerIds.other, { enabled: false });
    expect(await outcome(askFor(token))).toBe('FORBIDDEN');
  });

  it('that the notifier shows for an operator counts for 5 s, and only as it was made', async () => {
    const { partners } = await intake.peer('notifier');
    const options = { receiver: 'notifier', givenTo: 'gateway' } as const;
    const tokenOf = (change: object, agoMs = 0) =>
      signCallToken(keyrings.intake, administrator, { ...options, ...change, nowMs: Date.now() - agoMs });
    const signing = (operatorToken: string) =>
      outcome(partners.signing.mutate({ partnerId: partnerIds.sandbox, operatorToken }));
    expect(await signing(tokenOf({}))).toBe('answered');
    expect(await signing(tokenOf({}, 5_000))).toBe('UNAUTHENTICATED');
    expect(await signing(tokenOf({ receiver: 'terms' }))).toBe('UNAUTHENTICATED');
    expect(await signing(tokenOf({ givenTo: 'notifier' }))).toBe('UNAUTHENTICATED');
    expect(await signing(accessToken(administrator))).toBe('UNAUTHENTICATED');
  });
});
