import { readFile, writeFile } from 'node:fs/promises';
import { createDatabase } from '@rubrica/database/connection';
import { addKey, endKey, type GeneratedKeys, useKey } from '@rubrica/process/keyring';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { OperatorEntity } from '../src/access/operators/operator.entity.ts';
import { hashPassword } from '../src/access/passwords/password-hash.ts';
import { schema } from '../src/entities.ts';
import { beginValidation } from '../src/requests/validation/begin-validation.ts';
import { makeAuthentic } from './support/authentic-row.ts';
import { changePartner, ownDatabase } from './support/own-database.ts';
import {
  asOperator,
  asPartner,
  byTwo,
  callTokenOf,
  makeRegistration,
  partnerIds,
  runningIntake,
  secondAdministrator,
} from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const password = 'correct horse battery';

/** An attacker with the rights of intake's role in the database and nothing else; intake runs meanwhile. */
const intake = await disposeAfterAll(runningIntake());
const attacker = await disposeAfterAll(
  createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger }),
);
const gateway = (await intake.ground.peer('gateway')).keyring;

const admin = () => intake.operators(asOperator('admin'));
const asGateway = () => intake.client({ kind: 'service', name: 'gateway' });
const refused = { data: { appCode: 'UNAUTHENTICATED' } };

async function alarmOf(table: string, id: string): Promise<boolean> {
  const { warnings } = await admin().overview.query();
  return warnings.some(({ code, subject }) => code === 'ROW_NOT_AUTHENTIC' && subject === `${table}:${id}`);
}

async function changed(table: string, change: string, id: string): Promise<void> {
  expect(
    await attacker.execute(`update ${table} set ${change} where id = $1 returning 1`, [id]),
  ).toHaveLength(1);
}

async function makeOperator(given: { role: 'viewer' | 'admin'; enabled: boolean }) {
  const id = uuidv7();
  const email = `${id}@example.com`;
  await using own = await ownDatabase(intake.ground);
  const passwordHash = await hashPassword(password);
  await own.database.transaction(async (em) => {
    em.create(OperatorEntity, { id, email, passwordHash, ...given, createdAt: new Date() });
  });
  return { id, email };
}

async function signIn(email: string) {
  const sealedPassword = await gateway.sealTo('intake', password, {
    purpose: 'operator-password',
    owner: email,
  });
  return asGateway().tokens.signIn.mutate({ email, sealedPassword, address: '198.51.100.7' });
}

async function makePartner(settings: object = {}) {
  const made = await byTwo(intake, ({ partners }) =>
    partners.create.mutate({ name: 'Nueva', email: 'nueva@example.com', reason: 'one', ...settings }),
  );
  const { operatorId: owner } = secondAdministrator;
  const secret = await gateway.openText(made.clientSecret, { purpose: 'client-secret', owner });
  return { ...made, secret };
}

async function authenticate(clientId: string, secret: string) {
  const sealedSecret = await gateway.sealTo('intake', secret, {
    purpose: 'entered-client-secret',
    owner: clientId,
  });
  return asGateway().tokens.issue.mutate({ clientId, sealedSecret });
}
const letIn = { sealedAccessToken: expect.any(String) };

describe('an operator whose row was written in the database', () => {
  it.each([
    ['promoted', { role: 'viewer', enabled: true }, `role = 'admin'`],
    ['enabled', { role: 'admin', enabled: false }, 'enabled = true'],
    ['named otherwise', { role: 'admin', enabled: true }, `email = 'mallory-' || email`],
    ['said to be of another version', { role: 'admin', enabled: true }, 'version = version + 1'],
    ['left without a MAC', { role: 'admin', enabled: true }, `mac = ''`],
    ['left with a MAC of a made-up key', { role: 'admin', enabled: true }, `mac = 'intake-mac-0.' || mac`],
  ] as const)('%s, signs in no more, and the alarm names it', async (_what, given, change) => {
    const { id, email } = await makeOperator(given);
    if (given.enabled) expect(await signIn(email)).toMatchObject({ role: given.role });
    await changed('operator', change, id);
    const [row] = await attacker.execute<{ email: string }>('select email from operator where id = $1', [id]);
    await expect(signIn(row?.email ?? '')).rejects.toMatchObject(refused);
    expect(await alarmOf('operator', id)).toBe(true);
  });

  it('with the password and the MAC of another, signs in no more', async () => {
    const [one, other] = [
      await makeOperator({ role: 'admin', enabled: true }),
      await makeOperator({ role: 'viewer', enabled: true }),
    ];
    const copy = `password_hash = (select password_hash from operator where email = '${other.email}'),
      mac = (select mac from operator where email = '${other.email}')`;
    await changed('operator', copy, one.id);
    await expect(signIn(one.email)).rejects.toMatchObject(refused);
    expect(await signIn(other.email)).toMatchObject({ role: 'viewer' });
    expect(await alarmOf('operator', other.id)).toBe(false);
  });

  it('made there, signs in never', async () => {
    const { email } = await makeOperator({ role: 'admin', enabled: true });
    const id = uuidv7();
    await attacker.execute(
      `insert into operator (id, email, password_hash, role, enabled, gen, version, mac)
       select $1, 'mallory@example.com', password_hash, role, enabled, gen, version, mac from operator where email = $2`,
      [id, email],
    );
    await expect(signIn('mallory@example.com')).rejects.toMatchObject(refused);
    expect(await alarmOf('operator', id)).toBe(true);
  });
});

describe('a partner whose row was written in the database', () => {
  it.each([
    ['with wider scopes', { scopes: ['status:read'] }, `scopes = '{status:read,certificates:revoke}'`],
    ['with a looser review', { reviewPolicy: 'four-eyes' }, `review_policy = 'automatic'`],
    ['with another way to its password', {}, `password_configuration = 'ONE_TIME_PASSWORD'`],
    ['with old ciphers', {}, 'legacy_pkcs12 = true'],
    ['with another kind of key', {}, `key_type = 'EC-P256'`],
  ])('%s, is not let in, and the alarm names it', async (_what, settings, change) => {
    const { id, clientId, secret } = await makePartner(settings);
    expect(await authenticate(clientId, secret)).toMatchObject(letIn);
    await changed('partner', change, id);
    await expect(authenticate(clientId, secret)).rejects.toMatchObject(refused);
    const caller = { kind: 'partner', partnerId: id, clientId, scopes: ['collector:write'] } as const;
    const call = intake.client({ ...caller, scopes: [...caller.scopes] }).requests.register;
    await expect(call.mutate(makeRegistration())).rejects.toMatchObject({ data: { appCode: 'FORBIDDEN' } });
    expect(await alarmOf('partner', id)).toBe(true);
    expect(await admin().partners.get.query({ id })).toMatchObject({ enabled: false });
  });

  it('switched on again, is not let in', async () => {
    const { id, clientId, secret } = await makePartner();
    await changePartner(intake.ground, id, { enabled: false });
    await changed('partner', 'enabled = true', id);
    await expect(authenticate(clientId, secret)).rejects.toMatchObject(refused);
    expect(await alarmOf('partner', id)).toBe(true);
  });

  it('with the secret of another, opens to that secret no more than to its own', async () => {
    const [one, other] = [await makePartner(), await makePartner()];
    const copy = `client_secret_sha256 = (select client_secret_sha256 from partner where id = '${other.id}')`;
    await changed('partner', copy, one.id);
    await expect(authenticate(one.clientId, other.secret)).rejects.toMatchObject(refused);
    await expect(authenticate(one.clientId, one.secret)).rejects.toMatchObject(refused);
    expect(await authenticate(other.clientId, other.secret)).toMatchObject(letIn);
  });

  it('is not made good by the next change of an administrator', async () => {
    const { id, clientId, secret } = await makePartner({ scopes: ['status:read'] });
    await changed('partner', `scopes = '{status:read,certificates:revoke}'`, id);
    const { partners } = admin();
    const forbidden = { data: { appCode: 'FORBIDDEN' } };
    await expect(partners.update.mutate({ id, name: 'Otra', reason: 'r' })).rejects.toMatchObject(forbidden);
    await expect(partners.rotateSecret.mutate({ id, kind: 'client', reason: 'r' })).rejects.toMatchObject(
      forbidden,
    );
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    await expect(partners.issueToken.mutate({ id, name: 't', expiresAt, reason: 'r' })).rejects.toMatchObject(
      forbidden,
    );
    await expect(authenticate(clientId, secret)).rejects.toMatchObject(refused);
  });

  it('has its requests reviewed by the strictest policy, whatever the row says', async () => {
    await using own = await ownDatabase(intake.ground);
    const { requests } = intake.client(asPartner('other'));
    const { requestId } = await requests.register.mutate(makeRegistration());
    await pollFor(
      async () => (await requests.status.query({ family: 'TV', requestId })).status === 'GENERATING',
    );
    const begin = async (attempt: number) => {
      await intake.query(
        `update intake.request set status = 'REGISTERED', validation_status = 'PENDING', validation_attempt = $2,
           due_at = null, lease_until = null where id = $1`,
        [requestId, attempt],
      );
      await makeAuthentic(intake.ground, requestId, { decision: null });
      return beginValidation(own, { requestId, attempt, now: new Date() });
    };
    expect(await begin(2)).toMatchObject({ reviewPolicy: 'automatic' });
    await changePartner(intake.ground, partnerIds.other, { reviewPolicy: 'manual' });
    expect(await begin(3)).toMatchObject({ reviewPolicy: 'manual' });
    await changed('partner', `review_policy = 'automatic'`, partnerIds.other);
    expect(await begin(4)).toMatchObject({ reviewPolicy: 'four-eyes' });
  });
});

describe('an API token whose row was written in the database', () => {
  it.each([
    ['given back after its end', 'revoked_at = null', true],
    ['made to last', `expires_at = expires_at + interval '1 day'`, false],
    ['with wider scopes', `scopes = '{status:read,certificates:revoke}'`, false],
    ['given to another partner', `partner_id = '${partnerIds.other}'`, false],
  ] as const)('%s, opens nothing', async (_what, change, isRevoked) => {
    const { id } = await makePartner();
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const scopes = ['status:read' as const];
    const made = await byTwo(intake, ({ partners }) =>
      partners.issueToken.mutate({ id, name: 't', scopes, expiresAt, reason: 'r' }),
    );
    const { operatorId: owner } = secondAdministrator;
    const token = await gateway.openText(made.token, { purpose: 'api-token', owner });
    const resolve = async () => {
      const sealedToken = await gateway.sealTo('intake', token, {
        purpose: 'entered-token',
        owner: 'gateway',
      });
      return asGateway().tokens.exchange.query({ sealedToken });
    };
    expect(await resolve()).toMatchObject(letIn);
    if (isRevoked) await admin().partners.revokeToken.mutate({ tokenId: made.tokenId, reason: 'r' });
    await changed('api_token', change, made.tokenId);
    await expect(resolve()).rejects.toMatchObject(refused);
    expect(await alarmOf('api_token', made.tokenId)).toBe(true);
  });
});

describe('a webhook secret whose row was written in the database', () => {
  const idOf = async (partnerId: string) => {
    const [row] = await attacker.execute<{ id: string }>(
      'select id from webhook_secret where partner_id = $1 order by created_at limit 1',
      [partnerId],
    );
    return row?.id ?? '';
  };
  const none = { data: { appCode: 'SERVICE_UNAVAILABLE' } };
  const signing = async (partnerId: string) => {
    const operatorToken = await callTokenOf(intake, 'reviewer');
    const notifier = await intake.peer('notifier');
    return (await notifier.partners.signing.mutate({ partnerId, operatorToken })).sealedSecrets;
  };

  it('signs nothing: with the sealed secret of another partner, or moved to another partner', async () => {
    const [one, other, third] = [await makePartner(), await makePartner(), await makePartner()];
    expect(await signing(one.id)).toHaveLength(1);
    const of = await idOf(one.id);
    await changed(
      'webhook_secret',
      `sealed = (select sealed from webhook_secret where partner_id = '${other.id}')`,
      of,
    );
    await expect(signing(one.id)).rejects.toMatchObject(none);
    expect(await alarmOf('webhook_secret', of)).toBe(true);
    const moved = `partner_id = '${third.id}'`;
    await expect(changed('webhook_secret', moved, await idOf(other.id))).rejects.toThrow(/only move forward/);
    await changed('webhook_secret', `${moved}, version = version + 1`, await idOf(other.id));
    await expect(signing(other.id)).rejects.toMatchObject(none);
    expect(await signing(third.id)).toHaveLength(1);
  });

  it('is no public key that an operator hands on', async () => {
    const { id } = await makePartner();
    await changed('webhook_secret', `public_key = 'whpk_${'A'.repeat(43)}='`, await idOf(id));
    expect((await admin().partners.get.query({ id })).webhookPublicKeys).toEqual([]);
  });
});

it('two changes of one row at once never make a MAC over a mixture of them', async () => {
  const { id, clientId, secret } = await makePartner();
  const { partners } = admin();
  const changes = [
    { name: 'Otra' },
    { scopes: ['status:read' as const] },
    { reviewPolicy: 'manual' as const },
  ];
  await Promise.allSettled(changes.map((change) => partners.update.mutate({ id, ...change, reason: 'r' })));
  expect(await authenticate(clientId, secret)).toMatchObject(letIn);
});

it('rows go over to a new key while intake runs, and those of a former key that was ended count as disabled', async () => {
  const { id, email } = await makeOperator({ role: 'admin', enabled: true });
  const file = intake.ground.keys.keysFile.intake;
  const read = async (): Promise<GeneratedKeys> => ({
    privateJwks: JSON.parse(await readFile(file, 'utf8')),
    publicJwks: { keys: [] },
  });
  const write = ({ privateJwks }: GeneratedKeys) => writeFile(file, JSON.stringify(privateJwks));
  const macOf = async () =>
    (await attacker.execute<{ mac: string }>('select mac from operator where id = $1', [id]))[0]?.mac ?? '';
  const { requests } = intake.client(asPartner('sandbox'));
  const { requestId } = await requests.register.mutate(makeRegistration());
  const requestMac = async () =>
    (
      await attacker.execute<{ mac: string }>('select data_mac as mac from request where id = $1', [
        requestId,
      ])
    )[0]?.mac ?? '';
  const former = await macOf();
  expect((await requestMac()).split('.')[0]).toBe(former.split('.')[0]);
  // Rows that only move forward go over too.
  await using own = await ownDatabase(intake.ground);
  const tally = { id: uuidv7(), inRow: 0, wrongAt: [], lockedAt: null };
  const { version, mac } = own.rows.protect('operator_code_tally', tally);
  const insert = 'insert into operator_code_tally (id, version, mac) values ($1, $2, $3) returning 1';
  expect(await attacker.execute(insert, [tally.id, version, mac])).toHaveLength(1);
  const tallyMac = async () => {
    const rows = await attacker.execute<{ mac: string }>(
      'select mac from operator_code_tally where id = $1',
      [tally.id],
    );
    return rows[0]?.mac ?? '';
  };
  const before = await read();
  const { set, kid } = addKey(before, 'intake', 'mac');
  await write(useKey(set, kid));
  await pollFor(async () => (await macOf()).startsWith(`${kid}.`), {
    what: 'the row has a MAC of the new key',
  });
  await pollFor(async () => (await requestMac()).startsWith(`${kid}.`), {
    what: 'the request has a MAC of the new key',
  });
  await pollFor(async () => (await tallyMac()).startsWith(`${kid}.`), {
    what: 'the count of codes has a MAC of the new key',
  });
  expect(await signIn(email)).toMatchObject({ role: 'admin' });
  await write(endKey(useKey(set, kid), former.split('.')[0] ?? ''));
  const late = await makeOperator({ role: 'admin', enabled: true });
  await changed('operator', `mac = '${former}'`, id);
  await pollFor(
    () =>
      signIn(email).then(
        () => false,
        () => true,
      ),
    { what: 'the former key is ended' },
  );
  expect(await signIn(late.email)).toMatchObject({ role: 'admin' });
});
