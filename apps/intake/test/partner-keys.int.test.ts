import { randomUUID } from 'node:crypto';
import { createDatabase } from '@rubrica/database/connection';
import { createSweeper } from '@rubrica/database/sweeper';
import { createLogger } from '@rubrica/process/log';
import { createAccessTokenVerifier } from '@rubrica/process/tokens';
import { disposeAfterAll, startTestService } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { schema } from '../src/entities.ts';
import { buildService } from '../src/service.ts';
import { sweeperTasks } from '../src/sweeper-tasks.ts';
import {
  type AssertionParts,
  issuer,
  jwkOf,
  type KeyPair,
  makeAssertion,
  makeKey,
} from './support/assertions.ts';
import { openToken } from './support/open-token.ts';
import {
  asOperator,
  byTwo,
  type RunningIntake,
  runningIntake,
  secondAdministrator,
} from './support/running-intake.ts';

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });

const intake = await disposeAfterAll(runningIntake({}, { clock }));

function partners() {
  return intake.operators(asOperator('admin')).partners;
}

type Keyed = Parameters<ReturnType<typeof partners>['addKey']['mutate']>[0];

function create() {
  const settings = { name: 'Keys', email: 'keys@example.com' };
  return byTwo(intake, (admin) => admin.partners.create.mutate(settings));
}

function addKey(input: Keyed) {
  return byTwo(intake, (admin) => admin.partners.addKey.mutate(input));
}

/** A partner of this test's own, with one key. */
async function withKey(pair: KeyPair = makeKey['P-256']()) {
  const { id, clientId } = await create();
  const { keyId } = await addKey({ id, key: jwkOf(pair), reason: 'asked in writing' });
  return { id, clientId, keyId, pair };
}

/** As the gateway asks, for an assertion that it was sent. */
async function show(assertion: string, clientId: string) {
  const { keyring } = await intake.ground.peer('gateway');
  const binding = { purpose: 'client-assertion', owner: clientId } as const;
  const sealedAssertion = await keyring.sealTo('intake', assertion, binding);
  const asGateway = intake.client({ kind: 'service', name: 'gateway' });
  const answer = await asGateway.tokens.issueByAssertion.mutate({ clientId, sealedAssertion });
  const { accessToken } = await openToken(intake.ground, sealedAssertion, answer);
  const { caller } = createAccessTokenVerifier({ keyring, baseUrl: issuer, nowMs: Date.now })(accessToken);
  if (caller.kind !== 'partner') throw new Error('the token is for another kind of caller');
  return caller;
}

const sign = ({ privateKey }: KeyPair, parts: AssertionParts) => makeAssertion(privateKey, parts);
const genOf = async (id: string) => {
  const [row] = await intake.query<{ gen: number }>('select gen from intake.partner where id = $1', [id]);
  return row?.gen ?? 0;
};

const unauthenticated = { data: { appCode: 'UNAUTHENTICATED' } };

describe('a key of a partner', () => {
  it.each(['RSA', 'P-256', 'Ed25519'] as const)('of %s proves who the partner is', async (kind) => {
    const { id, clientId, pair } = await withKey(makeKey[kind]());
    const alg = { RSA: 'PS256', 'P-256': 'ES256', Ed25519: 'EdDSA' }[kind];
    const assertion = await sign(pair, { clientId, header: { alg } });
    expect(await show(assertion, clientId)).toEqual({
      kind: 'partner',
      partnerId: id,
      clientId,
      scopes: ['collector:write', 'manager:write', 'status:read', 'certificates:revoke'],
    });
  });

  it('is taken as PEM, shown by its id, kind, thumbprint and dates, and audited', async () => {
    const { id, keyId } = await withKey();
    const { publicKey } = makeKey.Ed25519();
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const added = await addKey({ id, key: pem, reason: 'the second' });
    await partners().removeKey.mutate({ id, keyId, reason: 'no longer used' });
    const { keys } = await partners().get.query({ id });
    expect(keys).toEqual([
      {
        id: added.keyId,
        algorithm: 'Ed25519',
        thumbprint: added.thumbprint,
        createdAt: expect.any(String),
        removedAt: null,
      },
      expect.objectContaining({ id: keyId, algorithm: 'P-256', removedAt: expect.any(String) }),
    ]);
    const rows = await intake.query<{ action: string; actor: string; reason: string; details: object }>(
      `select action, actor, reason, details from intake.audit where target = $1 order by id`,
      [`partner:${id}`],
    );
    expect(rows.slice(1).map(({ action, reason }) => [action, reason])).toEqual([
      ['partners.addKey', 'asked in writing'],
      ['partners.addKey', 'the second'],
      ['partners.removeKey', 'no longer used'],
    ]);
    expect(rows[2]).toMatchObject({
      actor: `operator:${secondAdministrator.email}`,
      details: { keyId: added.keyId },
    });
  });

  it('is added and removed by administrators alone', async () => {
    const { id, keyId } = await withKey();
    for (const role of ['viewer', 'reviewer'] as const) {
      const { addKey, removeKey } = intake.operators(asOperator(role)).partners;
      const forbidden = { data: { appCode: 'FORBIDDEN' } };
      const key = jwkOf(makeKey['P-256']());
      await expect(addKey.mutate({ id, key })).rejects.toMatchObject(forbidden);
      await expect(removeKey.mutate({ id, keyId })).rejects.toMatchObject(forbidden);
    }
  });

  it('is one of three at most, also when many are added at once, and none of them twice', async () => {
    const { id, pair } = await withKey();
    const add = (key: KeyPair) => addKey({ id, key: jwkOf(key) });
    const refused = { data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' } };
    await expect(add(pair)).rejects.toMatchObject(refused);
    const added = await Promise.allSettled(Array.from({ length: 6 }, () => add(makeKey['P-256']())));
    expect(added.filter(({ status }) => status === 'fulfilled').length).toBe(2);
    for (const one of added) if (one.status === 'rejected') expect(one.reason).toMatchObject(refused);
  });

  it.each([
    ['its private half', { ...makeKey.Ed25519().privateKey.export({ format: 'jwk' }) }],
    ['an RSA key of 1024 bits', jwkOf(makeKey.RSA(1024))],
    ['no key', 'ssh-ed25519 AAAA'],
  ])('is refused when it is %s, and nothing of it is kept', async (_what, key) => {
    const { id } = await withKey();
    const refusal = partners().addKey.mutate({ id, key: key as Record<string, string> });
    await expect(refusal).rejects.toMatchObject({ data: { appCode: 'FIELD_INVALID' } });
    expect((await partners().get.query({ id })).keys.length).toBe(1);
    expect(await intake.query(`select from intake.approval where input->>'id' = $1`, [id])).toEqual([]);
  });

  it('is added by nobody alone: it proves nothing until a second administrator has approved it', async () => {
    const { id, clientId } = await create();
    const pair = makeKey['P-256']();
    const before = await partners().get.query({ id });
    const waiting = await partners().addKey.mutate({ id, key: jwkOf(pair), reason: 'mine' });
    const { approvalId = '' } = waiting as { approvalId?: string };
    expect(waiting).toEqual({ ...before, approvalId: expect.any(String) });
    const alone = intake.operators(asOperator('admin')).approvals.approve.mutate({ id: approvalId });
    await expect(alone).rejects.toMatchObject({ data: { appCode: 'FORBIDDEN' } });
    await expect(show(await sign(pair, { clientId }), clientId)).rejects.toMatchObject(unauthenticated);
    expect(await partners().get.query({ id })).toEqual(before);
    await intake.operators(secondAdministrator).approvals.approve.mutate({ id: approvalId });
    expect(await show(await sign(pair, { clientId }), clientId)).toMatchObject({ partnerId: id });
  });

  it('is no other one than was proposed when it is approved', async () => {
    const { id, clientId } = await create();
    const [shown, slipped] = [makeKey['P-256'](), makeKey['P-256']()];
    const waiting = await partners().addKey.mutate({ id, key: jwkOf(shown) });
    const { approvalId = '' } = waiting as { approvalId?: string };
    const change = JSON.stringify({ key: jwkOf(slipped) });
    await intake.query(`update intake.approval set input = input || $2::jsonb where input->>'id' = $1`, [
      id,
      change,
    ]);
    const approved = intake.operators(secondAdministrator).approvals.approve.mutate({ id: approvalId });
    await expect(approved).rejects.toMatchObject({ data: { appCode: 'REQUEST_NOT_FOUND' } });
    for (const pair of [shown, slipped])
      await expect(show(await sign(pair, { clientId }), clientId)).rejects.toMatchObject(unauthenticated);
  });

  it('that was removed proves nothing any more, and only its own partner can lose it', async () => {
    const { id, clientId, keyId, pair } = await withKey();
    const other = await withKey();
    const crossed = partners().removeKey.mutate({ id: other.id, keyId });
    await expect(crossed).rejects.toMatchObject({ data: { appCode: 'REQUEST_NOT_FOUND' } });
    await show(await sign(pair, { clientId }), clientId);
    const before = await genOf(id);
    await partners().removeKey.mutate({ id, keyId });
    expect(await genOf(id)).toBe(before + 1);
    await expect(show(await sign(pair, { clientId }), clientId)).rejects.toMatchObject(unauthenticated);
  });
});

describe('a key whose row was written in the database, with the rights of intake’s role there', () => {
  const attack = async (sql: string, values: readonly string[]) => {
    await using database = createDatabase({
      ...{ url: intake.ground.service.appUrl, schema, entities: [], logger: quiet },
    });
    expect(await database.execute(`${sql} returning 1`, [...values])).toHaveLength(1);
  };
  const alarmOf = async (keyId: string) => {
    const { warnings } = await intake.operators(asOperator('admin')).overview.query();
    return warnings.some(
      ({ code, subject }) => code === 'ROW_NOT_AUTHENTIC' && subject === `partner_key:${keyId}`,
    );
  };

  it.each([
    ['', ''],
    [', its MAC too', ', mac = other.mac, version = other.version'],
  ])('signs nothing with the key of another partner in it%s, nor does its own', async (_what, more) => {
    const [one, other] = [await withKey(), await withKey()];
    await attack(
      `update partner_key set jwk = other.jwk, thumbprint = other.thumbprint, algorithm = other.algorithm${more}
       from partner_key as other where partner_key.id = $1 and other.id = $2`,
      [one.keyId, other.keyId],
    );
    for (const pair of [other.pair, one.pair])
      await expect(show(await sign(pair, { clientId: one.clientId }), one.clientId)).rejects.toMatchObject(
        unauthenticated,
      );
    expect(await alarmOf(one.keyId)).toBe(true);
    expect((await partners().get.query({ id: one.id })).keys).toEqual([]);
    const off = partners().update.mutate({ id: one.id, clientSecretEnabled: false, reason: 'keys alone' });
    await expect(off).rejects.toMatchObject({ data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' } });
    expect(await show(await sign(other.pair, { clientId: other.clientId }), other.clientId)).toMatchObject({
      partnerId: other.id,
    });
    expect(await alarmOf(other.keyId)).toBe(false);
  });

  it('signs nothing as a copy beside the partner’s own, which goes on', async () => {
    const [one, other] = [await withKey(), await withKey()];
    const copy = randomUUID();
    await attack(
      `insert into partner_key (id, partner_id, algorithm, jwk, thumbprint, created_at, version, mac)
       select $1, $2, algorithm, jwk, thumbprint, created_at, version, mac from partner_key where id = $3`,
      [copy, one.id, other.keyId],
    );
    await expect(
      show(await sign(other.pair, { clientId: one.clientId }), one.clientId),
    ).rejects.toMatchObject(unauthenticated);
    expect(await alarmOf(copy)).toBe(true);
    expect(await show(await sign(one.pair, { clientId: one.clientId }), one.clientId)).toMatchObject({
      partnerId: one.id,
    });
  });

  it('signs nothing once it was moved to another partner, for either of them', async () => {
    const [one, other] = [await withKey(), await withKey()];
    await attack('update partner_key set partner_id = $1 where id = $2', [one.id, other.keyId]);
    for (const { clientId } of [one, other])
      await expect(show(await sign(other.pair, { clientId }), clientId)).rejects.toMatchObject(
        unauthenticated,
      );
    expect(await alarmOf(other.keyId)).toBe(true);
  });

  it('signs nothing when it was removed and stands there as if it were not', async () => {
    const { id, clientId, keyId, pair } = await withKey();
    await partners().removeKey.mutate({ id, keyId, reason: 'stolen' });
    await attack('update partner_key set removed_at = null where id = $1', [keyId]);
    await expect(show(await sign(pair, { clientId }), clientId)).rejects.toMatchObject(unauthenticated);
    expect(await alarmOf(keyId)).toBe(true);
  });
});

describe('a client secret', () => {
  /** As the gateway asks with a secret that it was sent. */
  const enter = async (clientId: string, secret: string) => {
    const { keyring } = await intake.ground.peer('gateway');
    const binding = { purpose: 'entered-client-secret', owner: clientId } as const;
    const sealedSecret = await keyring.sealTo('intake', secret, binding);
    const asGateway = intake.client({ kind: 'service', name: 'gateway' });
    return asGateway.tokens.issue.mutate({ clientId, sealedSecret });
  };

  it('is switched off for a partner with keys alone, and then opens nothing, a new one neither', async () => {
    const made = await create();
    const { id, clientId } = made;
    const { keyring } = await intake.ground.peer('gateway');
    const owner = secondAdministrator.operatorId;
    const secret = await keyring.openText(made.clientSecret, { purpose: 'client-secret', owner });
    const off = () => partners().update.mutate({ id, clientSecretEnabled: false, reason: 'keys alone' });
    await expect(off()).rejects.toMatchObject({ data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' } });
    const pair = makeKey['P-256']();
    const { keyId } = await addKey({ id, key: jwkOf(pair) });
    await enter(clientId, secret);
    const before = await genOf(id);
    const switchedOff = await off();
    expect(switchedOff).toMatchObject({ clientSecretEnabled: false });
    expect(switchedOff.approvalId).toBeUndefined();
    expect(await genOf(id)).toBe(before + 1);
    await expect(enter(clientId, secret)).rejects.toMatchObject(unauthenticated);
    const rotated = await byTwo(intake, (admin) =>
      admin.partners.rotateSecret.mutate({ id, kind: 'client' }),
    );
    if (rotated.kind !== 'client') throw new Error('another kind was made');
    const fresh = await keyring.openText(rotated.secret, { purpose: 'rotated-secret', owner });
    await expect(enter(clientId, fresh)).rejects.toMatchObject(unauthenticated);
    expect(await show(await sign(pair, { clientId }), clientId)).toMatchObject({ clientId });
    await partners().removeKey.mutate({ id, keyId, reason: 'stolen' });
    await expect(enter(clientId, fresh)).rejects.toMatchObject(unauthenticated);
    const on = (admin: ReturnType<RunningIntake['operators']>) =>
      admin.partners.update.mutate({ id, clientSecretEnabled: true });
    const waiting = await on(intake.operators(asOperator('admin')));
    expect(waiting).toMatchObject({ clientSecretEnabled: false, approvalId: expect.any(String) });
    await expect(enter(clientId, fresh)).rejects.toMatchObject(unauthenticated);
    await byTwo(intake, on);
    await enter(clientId, fresh);
  });
});

describe('an assertion', () => {
  it('by the key of another partner proves nothing, for either of them', async () => {
    const [one, other] = [await withKey(), await withKey()];
    const forged = await sign(other.pair, { clientId: one.clientId });
    await expect(show(forged, one.clientId)).rejects.toMatchObject(unauthenticated);
    const mixed = await sign(other.pair, { clientId: other.clientId, claims: { sub: one.clientId } });
    for (const { clientId } of [one, other])
      await expect(show(mixed, clientId)).rejects.toMatchObject(unauthenticated);
    const own = await sign(other.pair, { clientId: other.clientId });
    await expect(show(own, one.clientId)).rejects.toMatchObject(unauthenticated);
    expect(await show(own, other.clientId)).toMatchObject({ partnerId: other.id });
  });

  it('of a partner that is switched off, or that nobody knows, proves nothing', async () => {
    const { id, clientId, pair } = await withKey();
    await partners().update.mutate({ id, enabled: false });
    for (const client of [clientId, 'nobody'])
      await expect(show(await sign(pair, { clientId: client }), client)).rejects.toMatchObject(
        unauthenticated,
      );
  });

  it.each<[string, Record<string, unknown>, Record<string, string>?]>([
    ['for two audiences', { aud: [issuer, `${issuer}/oauth/token`] }],
    ['for another address', { aud: 'https://other.example/oauth/token' }],
    ['that ends in ten minutes', { exp: Math.floor(Date.now() / 1000) + 600 }],
    ['without an id', { jti: undefined }],
  ])('%s is refused, and uses nothing up', async (_what, claims) => {
    const { id, clientId, pair } = await withKey();
    const assertion = await sign(pair, { clientId, claims });
    await expect(show(assertion, clientId)).rejects.toMatchObject(unauthenticated);
    expect(await intake.query('select 1 from intake.used_assertion where partner_id = $1', [id])).toEqual([]);
  });

  it('without a signature, or signed with the public key as a shared secret, uses no id up', async () => {
    const { clientId, pair } = await withKey();
    const claims = { jti: randomUUID() };
    const der = new Uint8Array(pair.publicKey.export({ type: 'spki', format: 'der' }));
    const hmac = await makeAssertion(der, { clientId, claims, header: { alg: 'HS256' } });
    const [, payload = ''] = hmac.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    for (const forged of [hmac, none])
      await expect(show(forged, clientId)).rejects.toMatchObject(unauthenticated);
    expect(await show(await sign(pair, { clientId, claims }), clientId)).toMatchObject({ clientId });
  });

  it('is good once, however many show it at the same moment at two copies of the service', async () => {
    const { clientId, pair } = await withKey();
    await using _copy = await secondCopy();
    const assertion = await sign(pair, { clientId });
    const shown = await Promise.allSettled(Array.from({ length: 24 }, () => show(assertion, clientId)));
    expect(shown.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    for (const one of shown) if (one.status === 'rejected') expect(one.reason).toMatchObject(unauthenticated);
  });

  it('of two partners may have the same id', async () => {
    const claims = { jti: randomUUID() };
    for (const { clientId, pair } of [await withKey(), await withKey()])
      expect(await show(await sign(pair, { clientId, claims }), clientId)).toMatchObject({ clientId });
  });

  it('is remembered until it has ended for every clock, and then forgotten', async () => {
    const { id, clientId, pair } = await withKey();
    const assertion = await sign(pair, { clientId });
    await show(assertion, clientId);
    const kept = () => intake.query('select 1 from intake.used_assertion where partner_id = $1', [id]);
    await using database = createDatabase({
      ...{ url: intake.ground.service.appUrl, schema, entities: [], logger: quiet },
    });
    const tasks = sweeperTasks({
      clock,
      retention: { issuedDays: 3_653, unissuedDays: 90 },
      timeZone: 'America/Guayaquil',
    });
    const sweeper = createSweeper({ database, tasks, logger: quiet });
    aheadMs += 61_000;
    await sweeper.sweep();
    expect((await kept()).length).toBe(1);
    await expect(show(assertion, clientId)).rejects.toMatchObject(unauthenticated);
    aheadMs += 60_000;
    await sweeper.sweep();
    expect(await kept()).toEqual([]);
  });

  it('that asks for a scope which the partner lacks is not used up', async () => {
    const { id, clientId, pair } = await withKey();
    await partners().update.mutate({ id, scopes: ['status:read'] });
    const assertion = await sign(pair, { clientId });
    const { keyring } = await intake.ground.peer('gateway');
    const binding = { purpose: 'client-assertion', owner: clientId } as const;
    const sealedAssertion = await keyring.sealTo('intake', assertion, binding);
    const asGateway = intake.client({ kind: 'service', name: 'gateway' });
    const input = { clientId, sealedAssertion, scopes: ['collector:write'] };
    const refusal = asGateway.tokens.issueByAssertion.mutate(input);
    await expect(refusal).rejects.toMatchObject({ data: { appCode: 'FIELD_INVALID' } });
    expect(await show(assertion, clientId)).toMatchObject({ scopes: ['status:read'] });
  });

  it('sealed for another client proves nothing', async () => {
    const [one, other] = [await withKey(), await withKey()];
    const { keyring } = await intake.ground.peer('gateway');
    const binding = { purpose: 'client-assertion', owner: other.clientId } as const;
    const assertion = await sign(one.pair, { clientId: one.clientId });
    const sealedAssertion = await keyring.sealTo('intake', assertion, binding);
    const asGateway = intake.client({ kind: 'service', name: 'gateway' });
    for (const clientId of [one.clientId, other.clientId])
      await expect(
        asGateway.tokens.issueByAssertion.mutate({ clientId, sealedAssertion }),
      ).rejects.toMatchObject(unauthenticated);
  });

  it('is refused by the copy that takes over when the copy that took it is gone', async () => {
    const { clientId, pair } = await withKey();
    const assertion = await sign(pair, { clientId });
    await show(assertion, clientId);
    await using _copy = await secondCopy();
    await intake.stopService();
    await expect(show(assertion, clientId)).rejects.toMatchObject(unauthenticated);
    expect(await show(await sign(pair, { clientId }), clientId)).toMatchObject({ clientId });
  });
});

function secondCopy() {
  return startTestService({
    name: 'intake',
    config: readConfig(intake.ground.env),
    build: (config, parts) => buildService(config, parts, { clock }),
  });
}
