import type { Caller } from '@rubrica/contracts/shared/caller';
import { createAccessTokenVerifier } from '@rubrica/process/tokens';
import { disposeAfterAll } from '@rubrica/testkit';
import type { FakeCaller } from '@rubrica/testkit/fakes';
import { describe, expect, it } from 'vitest';
import { openToken } from './support/open-token.ts';
import { changeOperator, changePartner } from './support/own-database.ts';
import {
  asOperator,
  asPartner,
  byTwo,
  partnerIds,
  runningIntake,
  secondAdministrator,
} from './support/running-intake.ts';

const secret = 'c'.repeat(43);

const intake = await disposeAfterAll(runningIntake());
const { keyring } = await intake.ground.peer('gateway');
/** As the gateway verifies: by public keys alone. */
const verify = createAccessTokenVerifier({ keyring, baseUrl: 'http://127.0.0.1:3000', nowMs: Date.now });

const gateway = () => intake.client({ kind: 'service', name: 'gateway' });

async function sealedFor(owner: string, text = secret) {
  const { keyring } = await intake.ground.peer('gateway');
  return keyring.sealTo('intake', text, { purpose: 'entered-client-secret', owner });
}

const issue = async (
  clientId: string,
  { text = secret, scopes }: { text?: string; scopes?: string[] } = {},
) => {
  const sealedSecret = await sealedFor(clientId, text);
  const input = { clientId, sealedSecret, ...(scopes ? { scopes } : {}) };
  return openToken(intake.ground, sealedSecret, await gateway().tokens.issue.mutate(input));
};

async function genOf(key: keyof typeof partnerIds): Promise<number> {
  const [row] = await intake.query<{ gen: number }>('select gen from intake.partner where id = $1', [
    partnerIds[key],
  ]);
  return row?.gen ?? 0;
}

describe('a token for a client', () => {
  it('says who it is, what it may and which state of its rights that was', async () => {
    const { accessToken, expiresInSeconds, scopes } = await issue('client-other');
    expect(expiresInSeconds).toBe(1_800);
    const { caller, gen } = verify(accessToken);
    expect(caller).toEqual({
      kind: 'partner',
      partnerId: partnerIds.other,
      clientId: 'client-other',
      scopes,
    });
    expect(gen).toBe(await genOf('other'));
  });

  it('has fewer scopes where fewer are asked for, and is refused with one that the client lacks', async () => {
    const { accessToken } = await issue('client-other', { scopes: ['status:read'] });
    expect(verify(accessToken).caller).toMatchObject({ scopes: ['status:read'] });
    await expect(issue('client-other', { scopes: ['status:read', 'all'] })).rejects.toMatchObject({
      data: { appCode: 'FIELD_INVALID' },
    });
  });

  it('is refused for a wrong secret, for the hash of the right one, and for one sealed to another client', async () => {
    const [row] = await intake.query<{ hash: string }>(
      'select client_secret_sha256 as hash from intake.partner where id = $1',
      [partnerIds.other],
    );
    const refusal = { data: { appCode: 'UNAUTHENTICATED' } };
    await expect(issue('client-other', { text: 'wrong' })).rejects.toMatchObject(refusal);
    await expect(issue('client-other', { text: row?.hash ?? '' })).rejects.toMatchObject(refusal);
    const sealedSecret = await sealedFor('client-sandbox');
    const moved = gateway().tokens.issue.mutate({ clientId: 'client-other', sealedSecret });
    await expect(moved).rejects.toMatchObject(refusal);
    const bare = gateway().tokens.issue.mutate({ clientId: 'client-other', sealedSecret: secret });
    await expect(bare).rejects.toMatchObject(refusal);
  });

  it('crosses the bus sealed to who has asked, and is no answer to another question', async () => {
    const [one, other] = [await sealedFor('client-other'), await sealedFor('client-other')];
    const answer = await gateway().tokens.issue.mutate({ clientId: 'client-other', sealedSecret: one });
    expect(JSON.stringify(answer)).not.toContain((await openToken(intake.ground, one, answer)).accessToken);
    await expect(openToken(intake.ground, other, answer)).rejects.toThrow();
    const thief = { peer: () => intake.ground.peer('notifier') };
    await expect(openToken(thief, one, answer)).rejects.toThrow();
  });

  it('is made by intake alone: what another service signs is no token', async () => {
    const { keyring } = await intake.ground.peer('gateway');
    const [, payload = ''] = (await issue('client-other')).accessToken.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    expect(() => verify(keyring.signStatement('at+jwt', claims))).toThrow(/has no key gateway-sig/);
  });
});

describe('gen', () => {
  const admin = () => intake.operators(asOperator('admin'));
  const update = (changes: object) => admin().partners.update.mutate({ id: partnerIds.otp, ...changes });
  const rotate = (kind: 'client' | 'webhook', immediately = false) =>
    byTwo(intake, ({ partners }) => partners.rotateSecret.mutate({ id: partnerIds.otp, kind, immediately }));
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const issueToken = (name: string) =>
    byTwo(intake, ({ partners }) => partners.issueToken.mutate({ id: partnerIds.otp, name, expiresAt }));

  it.each<[string, () => Promise<unknown>]>([
    ['a scope that is cut', () => update({ scopes: ['status:read', 'manager:write'] })],
    ['switching the partner off', () => update({ enabled: false })],
    ['a new client secret', () => rotate('client', true)],
    [
      'an API token that is revoked',
      async () => {
        const { tokenId } = await issueToken('a');
        await admin().partners.revokeToken.mutate({ tokenId });
      },
    ],
  ])('is raised by %s', async (_, end) => {
    const before = await genOf('otp');
    await end();
    expect(await genOf('otp')).toBe(before + 1);
  });

  it('stays where nothing is lost', async () => {
    const before = await genOf('otp');
    await byTwo(intake, ({ partners }) =>
      partners.update.mutate({
        id: partnerIds.otp,
        enabled: true,
        scopes: ['status:read', 'manager:write', 'collector:write'],
        name: 'Other name',
      }),
    );
    await rotate('webhook', true);
    await rotate('client');
    expect(await genOf('otp')).toBe(before);
  });

  it('is raised once by each of two losses at the same moment', async () => {
    const issued = [await issueToken('b'), await issueToken('c'), await issueToken('d')];
    const before = await genOf('otp');
    await Promise.all(issued.map(({ tokenId }) => admin().partners.revokeToken.mutate({ tokenId })));
    expect(await genOf('otp')).toBe(before + 3);
  });
});

it('an operator gets a token for the password, and none for a password that is not sealed', async () => {
  const { keyring } = await intake.ground.peer('gateway');
  const [email, address] = ['admin@example.com', '198.51.100.7'];
  const binding = { purpose: 'operator-password', owner: email } as const;
  const sealedPassword = await keyring.sealTo('intake', 'correct horse battery', binding);
  const answer = await gateway().tokens.signIn.mutate({ email, sealedPassword, address });
  if ('challenge' in answer) throw new Error('a second factor is due');
  const { accessToken, role } = await openToken(intake.ground, sealedPassword, answer);
  expect(verify(accessToken).caller).toMatchObject({ kind: 'operator', email, role });
  const bare = gateway().tokens.signIn.mutate({ email, sealedPassword: 'correct horse battery', address });
  await expect(bare).rejects.toMatchObject({ data: { appCode: 'UNAUTHENTICATED' } });
});

describe('an API token', () => {
  const admin = () => intake.operators(asOperator('admin'));
  const newToken = async (ahead = 86_400_000) => {
    const expiresAt = new Date(Date.now() + ahead).toISOString();
    const input = { id: partnerIds.sandbox, name: 'a', expiresAt, scopes: ['status:read' as const] };
    const { tokenId, token } = await byTwo(intake, ({ partners }) => partners.issueToken.mutate(input));
    const { keyring } = await intake.ground.peer('gateway');
    const owner = secondAdministrator.operatorId;
    return { tokenId, token: await keyring.openText(token, { purpose: 'api-token', owner }) };
  };
  const sealedBy = async (text: string, owner = 'gateway') => {
    const { keyring } = await intake.ground.peer('gateway');
    return keyring.sealTo('intake', text, { purpose: 'entered-token', owner });
  };
  const exchange = async (sealedToken: string) =>
    openToken(intake.ground, sealedToken, await gateway().tokens.exchange.query({ sealedToken }));
  const refusal = { data: { appCode: 'UNAUTHENTICATED' } };

  it('is exchanged for an access token of a minute with its own scopes', async () => {
    const { token } = await newToken();
    const { accessToken, expiresInSeconds } = await exchange(await sealedBy(token));
    expect(expiresInSeconds).toBe(60);
    expect(verify(accessToken).caller).toMatchObject({
      partnerId: partnerIds.sandbox,
      scopes: ['status:read'],
    });
  });

  it('is worth nothing as the hash that intake keeps, unsealed, or sealed for another door', async () => {
    const { token, tokenId } = await newToken();
    const [row] = await intake.query<{ hash: string }>(
      'select token_sha256 as hash from intake.api_token where id = $1',
      [tokenId],
    );
    const hash = row?.hash ?? '';
    expect(hash).toHaveLength(64);
    for (const wrong of [hash, await sealedBy(hash), token, await sealedBy(token, 'notifier')]) {
      await expect(exchange(wrong)).rejects.toMatchObject(refusal);
    }
  });

  it('opens nothing once it is revoked, and no longer than it is good for', async () => {
    const { token, tokenId } = await newToken(30_000);
    const { expiresInSeconds } = await exchange(await sealedBy(token));
    expect(expiresInSeconds).toBeLessThanOrEqual(30);
    await admin().partners.revokeToken.mutate({ tokenId });
    await expect(exchange(await sealedBy(token))).rejects.toMatchObject(refusal);
  });
});

describe('a token that was given before a right ended', () => {
  const admin = () => intake.operators(asOperator('admin'));
  const unknown = { family: 'TV', referenceTransaction: 'nothing' } as const;
  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => 'answered',
      (error: { data?: { appCode?: string } }) => error.data?.appCode ?? 'no answer',
    );
  const status = (gen: number) => {
    const caller = { ...asPartner('other'), gen } as FakeCaller;
    return outcome(intake.client(caller).requests.status.query(unknown));
  };
  const lists = (caller: FakeCaller | Caller) => outcome(intake.operators(caller).partners.list.query({}));
  const within5s = { timeout: 5_000, interval: 250 };

  it('is refused in every copy within 5 s, and a new one is taken', async () => {
    const gen = await genOf('other');
    expect(await status(gen)).toBe('REQUEST_NOT_FOUND');
    // As another copy does it: this one hears nothing of it.
    await changePartner(intake.ground, partnerIds.other, { gen: 2 });
    await expect.poll(() => status(gen), within5s).toBe('UNAUTHENTICATED');
    expect(await status(gen + 1)).toBe('REQUEST_NOT_FOUND');
  });

  it('is refused at once in the copy that ended the right', async () => {
    const gen = await genOf('other');
    expect(await status(gen)).toBe('REQUEST_NOT_FOUND');
    await admin().partners.update.mutate({ id: partnerIds.other, scopes: ['status:read'] });
    expect(await status(gen)).toBe('UNAUTHENTICATED');
    await byTwo(intake, ({ partners }) =>
      partners.rotateSecret.mutate({ id: partnerIds.other, kind: 'client', immediately: true }),
    );
    expect(await status(gen + 1)).toBe('UNAUTHENTICATED');
  });

  it('of an operator is refused within 5 s of being demoted or disabled', async () => {
    const operatorId = '01900000-0000-7000-8000-0000000000a2';
    const caller = { kind: 'operator', operatorId, email: 'operator2@example.com', role: 'admin' } as const;
    expect(await lists({ ...caller, gen: 1 })).toBe('answered');
    await changeOperator(intake.ground, operatorId, { gen: 2 });
    await expect.poll(() => lists({ ...caller, gen: 1 }), within5s).toBe('UNAUTHENTICATED');
    expect(await lists({ ...caller, gen: 2 })).toBe('answered');
    await changeOperator(intake.ground, operatorId, { enabled: false });
    await expect.poll(() => lists({ ...caller, gen: 2 }), within5s).toBe('UNAUTHENTICATED');
  });

  it('is worth nothing for an administrator who does not exist', async () => {
    const operatorId = '01900000-0000-7000-8000-00000000dead';
    const nobody = { kind: 'operator', operatorId, email: 'nobody@example.com', role: 'admin' } as const;
    expect(await lists(nobody)).toBe('UNAUTHENTICATED');
    expect(await lists({ ...nobody, gen: 1 })).toBe('UNAUTHENTICATED');
  });
});
