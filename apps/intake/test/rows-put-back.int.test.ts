import { createDatabase } from '@rubrica/database/connection';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { OperatorIdentityEntity } from '../src/access/operators/operator-identity.entity.ts';
import { hashPassword } from '../src/access/passwords/password-hash.ts';
import { schema } from '../src/entities.ts';
import { codeAt, enrolApp } from './support/authenticator-app.ts';
import { linkCalls, newestLetter } from './support/links.ts';
import { outcome, signIn } from './support/operator-session.ts';
import { addOperator } from './support/operators.ts';
import { changeOperator, ownDatabase } from './support/own-database.ts';
import {
  asOperator,
  byTwo,
  partnerIds,
  runningIntake,
  secondAdministrator,
} from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const password = 'correct horse battery';
const onlyForward = /only move forward/;

/** Rows that gave a right once, with the MAC that intake made, put back by the rights of its role in the database alone. */
const intake = await disposeAfterAll(runningIntake());
const attacker = await disposeAfterAll(
  createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger }),
);
const gateway = (await intake.ground.peer('gateway')).keyring;

const admin = () => intake.operators(asOperator('admin'));
const asGateway = () => intake.client({ kind: 'service', name: 'gateway' });

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

async function read(table: string, where: string, params: readonly unknown[]): Promise<Row[]> {
  const rows = await attacker.execute<{ row: Row }>(
    `select to_jsonb(t) as row from ${table} t where ${where} order by id`,
    params,
  );
  return rows.map(({ row }) => row);
}
const readOne = async (table: string, id: string) => (await read(table, 'id = $1', [id]))[0] as Row;

const insertion = (table: string) =>
  `insert into ${table} select (jsonb_populate_record(null::${table}, $1::jsonb)).*`;
const inserted = (table: string, row: Row) => attacker.execute(insertion(table), [JSON.stringify(row)]);
function updated(table: string, row: Row) {
  const columns = Object.keys(row).join(', ');
  return attacker.execute(
    `update ${table} set (${columns}) = (select ${columns} from jsonb_populate_record(null::${table}, $1::jsonb))
       where id = $2`,
    [JSON.stringify(row), row.id],
  );
}
/** Written over, or taken away and written again in one transaction. */
async function putBack(table: string, row: Row): Promise<void> {
  await expect(updated(table, row)).rejects.toThrow(onlyForward);
  const again = attacker.transaction(async (em) => {
    await em
      .getConnection()
      .execute(`delete from ${table} where id = ?`, [row.id], 'run', em.getTransactionContext());
    const text = insertion(table).replace('$1', '?');
    await em.getConnection().execute(text, [JSON.stringify(row)], 'run', em.getTransactionContext());
  });
  await expect(again).rejects.toThrow(onlyForward);
}

async function operatorWithPassword(role: 'viewer' | 'reviewer' | 'admin') {
  const person = await addOperator(intake, role);
  await changeOperator(intake.ground, person.operatorId, { passwordHash: await hashPassword(password) });
  return person;
}

async function partner(settings: object = {}) {
  return byTwo(intake, ({ partners }) =>
    partners.create.mutate({ name: 'Nueva', email: 'nueva@example.com', reason: 'one', ...settings }),
  );
}

describe('an operator', () => {
  it('who was disabled stays so', async () => {
    const { operatorId, email } = await operatorWithPassword('reviewer');
    expect(await outcome(signIn(intake, { email }))).toBe('answered');
    const before = await readOne('operator', operatorId);
    await admin().operators.disable.mutate({ operatorId, reason: 'left' });
    await putBack('operator', before);
    expect(await outcome(signIn(intake, { email }))).toBe('UNAUTHENTICATED');
  });

  it('who was demoted stays so', async () => {
    const { operatorId, email } = await operatorWithPassword('admin');
    const before = await readOne('operator', operatorId);
    await admin().operators.changeRole.mutate({ operatorId, role: 'viewer' });
    await putBack('operator', before);
    expect(await signIn(intake, { email })).toMatchObject({ role: 'viewer' });
  });

  it('is not made anew at the provider of the organisation: account and identity are kept', async () => {
    const { operatorId } = await operatorWithPassword('viewer');
    await using own = await ownDatabase(intake.ground);
    const identity = { id: uuidv7(), operatorId, issuer: 'https://id.example', subject: operatorId };
    await own.database.transaction(async (em) => {
      em.create(OperatorIdentityEntity, { ...identity, createdAt: new Date() } as never);
    });
    for (const [table, id] of [
      ['operator_identity', identity.id],
      ['operator', operatorId],
    ] as const)
      await expect(attacker.execute(`delete from ${table} where id = $1`, [id])).rejects.toThrow(onlyForward);
  });
});

describe('a partner', () => {
  it('whose review was tightened stays so, and its former client secret opens nothing', async () => {
    const { id, clientId, clientSecret } = await partner({ reviewPolicy: 'automatic' });
    const { operatorId: owner } = secondAdministrator;
    const secret = await gateway.openText(clientSecret, { purpose: 'client-secret', owner });
    const authenticate = async () => {
      const binding = { purpose: 'entered-client-secret', owner: clientId } as const;
      const sealedSecret = await gateway.sealTo('intake', secret, binding);
      return asGateway().tokens.issue.mutate({ clientId, sealedSecret });
    };
    expect(await outcome(authenticate())).toBe('answered');
    const before = await readOne('partner', id);
    await admin().partners.update.mutate({ id, reviewPolicy: 'four-eyes', reason: 'fraud' });
    await byTwo(intake, ({ partners }) =>
      partners.rotateSecret.mutate({ id, kind: 'client', reason: 'leaked' }),
    );
    await putBack('partner', before);
    expect(await admin().partners.get.query({ id })).toMatchObject({ reviewPolicy: 'four-eyes' });
    expect(await outcome(authenticate())).toBe('UNAUTHENTICATED');
  });

  it('has no revoked API token back', async () => {
    const { id } = await partner();
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const made = await byTwo(intake, ({ partners }) =>
      partners.issueToken.mutate({ id, name: 't', expiresAt, reason: 'r' }),
    );
    const { operatorId: owner } = secondAdministrator;
    const token = await gateway.openText(made.token, { purpose: 'api-token', owner });
    const exchange = async () => {
      const binding = { purpose: 'entered-token', owner: 'gateway' } as const;
      return asGateway().tokens.exchange.query({
        sealedToken: await gateway.sealTo('intake', token, binding),
      });
    };
    expect(await outcome(exchange())).toBe('answered');
    const before = await readOne('api_token', made.tokenId);
    await admin().partners.revokeToken.mutate({ tokenId: made.tokenId, reason: 'it leaked' });
    await putBack('api_token', before);
    expect(await outcome(exchange())).toBe('UNAUTHENTICATED');
  });

  it('has no webhook secret for longer than its rotation says', async () => {
    const { id } = await partner();
    const [before] = await read('webhook_secret', 'partner_id = $1', [id]);
    await byTwo(intake, ({ partners }) =>
      partners.rotateSecret.mutate({ id, kind: 'webhook', immediately: true, reason: 'leaked' }),
    );
    await putBack('webhook_secret', before as Row);
  });

  it('has no webhook secret passed over by its rotation because it is another partner’s meanwhile', async () => {
    const { id } = await partner();
    const [secret] = await read('webhook_secret', 'partner_id = $1', [id]);
    const give = 'update webhook_secret set partner_id = $1 where id = $2';
    await expect(attacker.execute(give, [partnerIds.other, secret?.id])).rejects.toThrow(onlyForward);
    // A later version needs a MAC of its own, which the former partner's row then has no more.
    const giveLater = 'update webhook_secret set partner_id = $1, version = version + 1 where id = $2';
    await attacker.execute(giveLater, [partnerIds.other, secret?.id]);
    await expect(updated('webhook_secret', secret as Row)).rejects.toThrow(onlyForward);
  });

  it('has no webhook secret passed over by its rotation because it is a public key’s meanwhile', async () => {
    const { id } = await partner();
    const [secret] = await read('webhook_secret', 'partner_id = $1', [id]);
    await attacker.execute(`update webhook_secret set public_key = 'whpk_x' where id = $1`, [secret?.id]);
    await byTwo(intake, ({ partners }) =>
      partners.rotateSecret.mutate({ id, kind: 'webhook', immediately: true, reason: 'leaked' }),
    );
    await attacker.execute('update webhook_secret set public_key = null where id = $1', [secret?.id]);
    const after = await readOne('webhook_secret', secret?.id ?? '');
    expect(after).toMatchObject({ expires_at: null, public_key: null, mac: '' });
    expect(after.version).toBeGreaterThan(Number(secret?.version));
  });

  it('rotates its webhook secret beside rows that intake has not written', async () => {
    const { id } = await partner();
    const [secret] = await read('webhook_secret', 'partner_id = $1', [id]);
    await attacker.execute(
      `insert into webhook_secret (id, partner_id, sealed, created_at)
       select gen_random_uuid(), $1, 'x', '9999-12-30' from generate_series(1, 6)`,
      [id],
    );
    await byTwo(intake, ({ partners }) =>
      partners.rotateSecret.mutate({ id, kind: 'webhook', immediately: true, reason: 'leaked' }),
    );
    expect(await readOne('webhook_secret', secret?.id ?? '')).toMatchObject({
      expires_at: expect.any(String),
    });
  });

  it('has no removed key back', async () => {
    const { id } = await partner();
    const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32, 7).toString('base64url') };
    const { keyId } = await byTwo(intake, ({ partners }) =>
      partners.addKey.mutate({ id, key, reason: 'asked' }),
    );
    const before = await readOne('partner_key', keyId);
    await admin().partners.removeKey.mutate({ id, keyId, reason: 'lost' });
    await putBack('partner_key', before);
  });
});

describe('what the service deletes', () => {
  async function appOf(operatorId: string, email: string) {
    const app = await enrolApp(intake, { session: await newest(email), operatorId, now: new Date() });
    const factors = await read('operator_factor', 'operator_id = $1', [operatorId]);
    const codes = await read('operator_recovery_code', 'operator_id = $1', [operatorId]);
    return { ...app, factor: factors[0] as Row, codes };
  }
  const sessions = new Map<string, Awaited<ReturnType<typeof signIn>>>();
  async function newest(email: string) {
    const session = sessions.get(email) ?? (await signIn(intake, { email }));
    sessions.set(email, session);
    return session;
  }

  it('of factors and recovery codes does not come back, nor does a code that was used', async () => {
    const { operatorId, email } = await operatorWithPassword('reviewer');
    const former = await appOf(operatorId, email);
    const [unused] = former.codes.toReversed();
    const [code = '', other = ''] = former.recoveryCodes;
    expect(await outcome(signIn(intake, { email, code }))).toBe('answered');
    const used = (
      await read('operator_recovery_code', 'used_at is not null and operator_id = $1', [operatorId])
    )[0];
    const asItWas = former.codes.find(({ id }) => id === used?.id) as Row;
    await putBack('operator_recovery_code', asItWas);
    expect(await outcome(signIn(intake, { email, code }))).toBe('UNAUTHENTICATED');

    const present = await appOf(operatorId, email);
    expect(present.factor.id).not.toBe(former.factor.id);
    for (const [table, row] of [
      ['operator_factor', former.factor],
      ['operator_recovery_code', unused as Row],
    ] as const)
      await expect(inserted(table, row)).rejects.toThrow(onlyForward);
    expect(await outcome(signIn(intake, { email, code: other }))).toBe('UNAUTHENTICATED');
    expect(await outcome(signIn(intake, { email, code: codeAt(former.secret, new Date()) }))).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('of links does not come back once it was used', async () => {
    const email = `${uuidv7()}@example.com`;
    const { operatorId } = await byTwo(intake, ({ operators }) =>
      operators.invite.mutate({ email, role: 'viewer', reason: 'new' }),
    );
    const { token = '' } = await newestLetter(intake, email);
    const [before] = await read('operator_invitation', 'operator_id = $1', [operatorId]);
    await (await linkCalls(intake, token)).accept({ password: 'a long password of mine' });
    await expect(inserted('operator_invitation', before as Row)).rejects.toThrow(onlyForward);
    const again = (await linkCalls(intake, token)).accept({ password: 'another long password' });
    expect(await outcome(again)).toBe('UNAUTHENTICATED');
  });

  it('of proposals does not wait again once it was decided', async () => {
    const { id: partnerId } = await partner({ reviewPolicy: 'four-eyes' });
    const change = { id: partnerId, reviewPolicy: 'automatic', reason: 'they asked' } as const;
    const { approvalId = '' } = (await admin().partners.update.mutate(change)) as { approvalId?: string };
    const id = approvalId.split('.').at(-1) ?? '';
    const before = await readOne('approval', id);
    await intake.operators(secondAdministrator).approvals.approve.mutate({ id: approvalId });
    await admin().partners.update.mutate({ id: partnerId, reviewPolicy: 'four-eyes', reason: 'back' });
    await expect(inserted('approval', before)).rejects.toThrow(onlyForward);
    const { items } = await intake.operators(secondAdministrator).approvals.list.query({});
    expect(items.map((item) => item.id)).not.toContain(approvalId);
  });

  it('does not come back in a transaction that began before, nor in one that waited for its end', async () => {
    const { operatorId, email } = await operatorWithPassword('reviewer');
    const { factor, codes } = await appOf(operatorId, email);
    const client = new pg.Client({ connectionString: intake.ground.service.appUrl });
    await client.connect();
    try {
      await client.query('set search_path = intake');
      await client.query('begin isolation level repeatable read');
      await client.query('select 1 from operator_recovery_code');
      await appOf(operatorId, email);
      for (const [table, row] of [
        ['operator_factor', factor],
        ['operator_recovery_code', codes[0] as Row],
      ] as const) {
        await client.query('savepoint one');
        await expect(client.query(insertion(table), [JSON.stringify(row)])).rejects.toThrow(onlyForward);
        await client.query('rollback to savepoint one');
      }
    } finally {
      await client.end();
    }
  });
});

it.each(['update known_row set row_id = gen_random_uuid()', 'delete from known_row', 'truncate known_row'])(
  'the ids that were known are not forgotten: %s',
  async (text) => {
    await expect(attacker.execute(text)).rejects.toThrow('permission denied');
  },
);

it('what one administrator did alone within the hour stays counted', async () => {
  const noted = `insert into alone_change (operator_id, procedure, at) values ($1, 'one', clock_timestamp()) returning id`;
  expect(await attacker.execute(noted, [uuidv7()])).toHaveLength(1);
  for (const text of ['delete from alone_change', `update alone_change set at = at - interval '1 day'`])
    await expect(attacker.execute(text)).rejects.toThrow('are kept for an hour');
});

it('a partner is not deleted, with what belongs to it', async () => {
  const text = 'delete from partner where id = $1';
  await expect(attacker.execute(text, [partnerIds.other])).rejects.toThrow(onlyForward);
});

it('a row is not put back with the MAC of a version that was rolled back', async () => {
  const { operatorId } = await addOperator(intake, 'reviewer');
  await using own = await ownDatabase(intake.ground);
  const before = await readOne('operator', operatorId);
  // What a failed change would have written, which a log of the server may hold.
  const { id, email, password_hash: passwordHash, role, enabled, gen, made_by: madeBy } = before;
  const fields = { id, email, passwordHash, role, enabled, gen, madeBy };
  const unwritten = { ...before, ...own.rows.protect('operator', fields, Number(before.version) + 1) };
  expect(own.rows.hasMac('operator', unwritten)).toBe(true);
  await admin().operators.disable.mutate({ operatorId, reason: 'left' });
  await updated('operator', unwritten);
  const after = await readOne('operator', operatorId);
  expect(own.rows.hasMac('operator', after)).toBe(false);
});

describe('a row beside genuine ones that intake has not written', () => {
  it('keeps no session of its operator from being ended', async () => {
    const { operatorId, email } = await operatorWithPassword('reviewer');
    const session = await signIn(intake, { email, password });
    await attacker.execute(
      `insert into operator_session select (jsonb_populate_record(null::operator_session, to_jsonb(t)
         || jsonb_build_object('id', gen_random_uuid(), 'family_sha256', 'x', 'refresh_sha256', 'y', 'previous_sha256', null))).*
       from operator_session as t where operator_id = $1`,
      [operatorId],
    );
    await admin().operators.endSessions.mutate({ operatorId, reason: 'stolen' });
    const [row] = await read('operator_session', `operator_id = $1 and family_sha256 <> 'x'`, [operatorId]);
    expect(row).toMatchObject({ ended_at: expect.any(String) });
    expect(session).toBeDefined();
  });

  it('keeps no partner from a new key', async () => {
    const id = partnerIds.other;
    await attacker.execute(
      `insert into partner_key (id, partner_id, algorithm, jwk, thumbprint) values (gen_random_uuid(), $1, 'Ed25519', '{}', 'x')`,
      [id],
    );
    const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32, 9).toString('base64url') };
    const added = await byTwo(intake, ({ partners }) => partners.addKey.mutate({ id, key, reason: 'asked' }));
    expect(added.keyId).toEqual(expect.any(String));
  });
});
