import { createHash } from 'node:crypto';
import { createDatabase } from '@rubrica/database/connection';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { codeAt, enrolApp } from './support/authenticator-app.ts';
import { outcome, provenBy, showing, signIn } from './support/operator-session.ts';
import { addOperator } from './support/operators.ts';
import { changeOperator, changePartner, ownDatabase } from './support/own-database.ts';
import { enrolledPasskey, passkeyChallenge, signInByPasskey } from './support/passkeys.ts';
import {
  asOperator,
  byTwo,
  partnerIds,
  runningIntake,
  secondAdministrator,
} from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const origin = 'https://console.example';
const { email, operatorId } = secondAdministrator;
const password = 'correct horse battery';

/** An attacker with the rights of intake's role in the database and nothing else; the second administrator has factors. */
const intake = await disposeAfterAll(runningIntake({ CONSOLE_URL: origin }));
const url = intake.ground.service.appUrl;
const attacker = await disposeAfterAll(createDatabase({ url, schema, entities: [], logger }));

beforeEach(async () => {
  await intake.query('truncate intake.operator_factor, intake.operator_factor_mark, intake.approval');
  await changePartner(intake.ground, partnerIds.other, { reviewPolicy: 'four-eyes' });
});

const approvals = () => intake.operators(secondAdministrator).approvals;

async function proposed(): Promise<string> {
  const { partners } = intake.operators(asOperator('admin'));
  const change = { id: partnerIds.other, reviewPolicy: 'automatic' } as const;
  return (await partners.update.mutate(change)).approvalId ?? '';
}

async function alarms(): Promise<string[]> {
  const { warnings } = await intake.operators(asOperator('admin')).overview.query();
  return warnings.flatMap(({ code, subject }) => (code === 'ROW_NOT_AUTHENTIC' ? (subject ?? []) : []));
}

async function enrolledFactor(owner: string): Promise<string> {
  const [row] = await intake.query<{ id: string }>(
    'select id from intake.operator_factor where operator_id = $1',
    [owner],
  );
  return row?.id ?? '';
}

const deletion = 'delete from operator_factor where operator_id = $1 returning 1';

it.each([
  ['deleted', deletion],
  ['made an app', "update operator_factor set kind = 'totp' where operator_id = $1 returning 1"],
  [
    'made an unconfirmed one',
    'update operator_factor set confirmed_at = null where operator_id = $1 returning 1',
  ],
  [
    'given to another operator',
    `update operator_factor set operator_id = '01900000-0000-7000-8000-0000000000a1' where operator_id = $1 returning 1`,
  ],
])(
  'an administrator whose passkey was %s in the database approves nothing by the session',
  async (_what, change) => {
    await enrolledPasskey(intake, { email, password, origin });
    const factorId = await enrolledFactor(operatorId);
    const id = await proposed();
    expect(await attacker.execute(change, [operatorId])).toHaveLength(1);
    expect(await outcome(approvals().passkeyOptions.mutate({ id }))).toBe('FORBIDDEN');
    expect(await outcome(approvals().approve.mutate({ id }))).toBe('FORBIDDEN');
    expect(await alarms()).toContain(`operator_factor:${factorId}`);
  },
);

async function passwordHash(): Promise<string | undefined> {
  const [row] = await intake.query<{ hash: string }>(
    'select password_hash as hash from intake.operator where id = $1',
    [operatorId],
  );
  return row?.hash;
}
const reviewerWithPassword = async () => {
  const reviewer = await addOperator(intake, 'reviewer');
  await changeOperator(intake.ground, reviewer.operatorId, { passwordHash: await passwordHash() });
  return reviewer;
};

/**
 * Hides the factors of an operator and shows them again, again and again, until `attempt` has ended. By the schema's owner: a
 * change by the service's role has a new version, and is not put back.
 */
async function blinking<Result>(owner: string, attempt: () => Promise<Result>): Promise<Result> {
  const [stored] = await attacker.execute<{ at: string }>(
    'select confirmed_at::text as at from operator_factor where operator_id = $1',
    [owner],
  );
  const change = 'update intake.operator_factor set confirmed_at = $2::timestamptz where operator_id = $1';
  let isOver = false;
  const blink = async () => {
    while (!isOver) {
      await intake.query(change, [owner, null]);
      await intake.query(change, [owner, stored?.at]);
    }
  };
  const [result] = await Promise.all([
    attempt().finally(() => {
      isOver = true;
    }),
    blink(),
  ]);
  return result;
}

it('an administrator whose passkey comes and goes in the database approves nothing by the session', async () => {
  await enrolledPasskey(intake, { email, password, origin });
  const factorId = await enrolledFactor(operatorId);
  const id = await proposed();
  const answers = await blinking(operatorId, async () => {
    const seen: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      seen.push(await outcome(approvals().approve.mutate({ id })));
      const { options } = await approvals()
        .passkeyOptions.mutate({ id })
        .catch(() => ({ options: 'refused' }));
      seen.push(options === null ? 'no passkey needed' : 'asked or refused');
    }
    return new Set(seen);
  });
  expect(answers).not.toContain('answered');
  expect(answers).not.toContain('no passkey needed');
  expect(answers).toContain('FORBIDDEN');
  expect(await outcome(approvals().approve.mutate({ id }))).toBe('PASSKEY_NEEDED');
  expect(await alarms()).toContain(`operator_factor:${factorId}`);
});

it('a password alone does not sign in while the app comes and goes in the database', async () => {
  const reviewer = await reviewerWithPassword();
  const session = await signIn(intake, { email: reviewer.email });
  await enrolApp(intake, { session, operatorId: reviewer.operatorId, now: new Date() });
  const answers = await blinking(reviewer.operatorId, async () => {
    const seen: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      await attacker.execute('delete from sign_in_attempt');
      seen.push(await outcome(signIn(intake, { email: reviewer.email })));
    }
    return new Set(seen);
  });
  expect(answers).not.toContain('answered');
  expect(await outcome(signIn(intake, { email: reviewer.email }))).toBe('challenge code');
});

it('a password alone neither signs in nor enrols where the factor was deleted, until the factors are reset', async () => {
  const third = await reviewerWithPassword();
  const session = await signIn(intake, { email: third.email });
  await enrolApp(intake, { session, operatorId: third.operatorId, now: new Date() });
  const factorId = await enrolledFactor(third.operatorId);
  await attacker.execute(deletion, [third.operatorId]);

  expect(await outcome(signIn(intake, { email: third.email }))).toBe('FORBIDDEN');
  const again = enrolApp(intake, { session, operatorId: third.operatorId, now: new Date() });
  expect(await outcome(again)).toBe('FORBIDDEN');
  expect(await alarms()).toContain(`operator_factor:${factorId}`);

  const { operatorId: thirdId } = third;
  await byTwo(intake, ({ operators }) => operators.resetFactors.mutate({ operatorId: thirdId }));
  await changeOperator(intake.ground, thirdId, { passwordHash: await passwordHash() });
  expect(await outcome(signIn(intake, { email: third.email }))).toBe('answered');
});

it('two administrators reset the factors of an operator whose mark was written in the database', async () => {
  const fourth = await reviewerWithPassword();
  const forged = `insert into operator_factor_mark (id, factor_ids, version, mac) values ($1, '[]', 7, 'x')
    on conflict (id) do update set version = operator_factor_mark.version + 1, mac = 'x'`;
  await attacker.execute(forged, [fourth.operatorId]);
  expect(await outcome(signIn(intake, { email: fourth.email }))).toBe('FORBIDDEN');
  const { operatorId: fourthId } = fourth;
  await byTwo(intake, ({ operators }) => operators.resetFactors.mutate({ operatorId: fourthId }));
  await changeOperator(intake.ground, fourthId, { passwordHash: await passwordHash() });
  expect(await outcome(signIn(intake, { email: fourth.email }))).toBe('answered');
});

it('factors that were enrolled before marks existed are marked when one approves', async () => {
  const passkey = await enrolledPasskey(intake, { email, password, origin });
  await intake.query('truncate intake.operator_factor_mark');
  const id = await proposed();
  const { options } = await approvals().passkeyOptions.mutate({ id });
  const signed = passkey.get({ challenge: options?.challenge ?? '' });
  const { keyring } = await intake.ground.peer('gateway');
  const binding = { purpose: 'approval-response', owner: operatorId } as const;
  const response = (await keyring.sealTo('intake', JSON.stringify(signed), binding)) as never;
  await approvals().approve.mutate({ id, response });
  await changePartner(intake.ground, partnerIds.other, { reviewPolicy: 'four-eyes' });
  await attacker.execute(deletion, [operatorId]);
  expect(await outcome(approvals().approve.mutate({ id: await proposed() }))).toBe('FORBIDDEN');
});

it('what is removed by its owner is missed by nobody', async () => {
  await enrolledPasskey(intake, { email, password, origin });
  await enrolledPasskey(intake, { email, password, origin });
  const session = await signIn(intake, { email });
  const removal = { factorId: await enrolledFactor(operatorId), ...(await provenBy(intake, operatorId)) };
  const { auth } = intake.operators({ kind: 'service', name: 'gateway' });
  await auth.removeFactor.mutate(removal, await showing(intake, session));
  const { options } = await approvals().passkeyOptions.mutate({ id: await proposed() });
  expect(options?.allowCredentials).toHaveLength(1);
});

it('the mark of what is enrolled is neither deleted, nor emptied, nor put back as it was', async () => {
  await enrolledPasskey(intake, { email, password, origin });
  const [before] = await attacker.execute<{ factor_ids: string[]; version: number; mac: string }>(
    'select factor_ids, version, mac from operator_factor_mark where id = $1',
    [operatorId],
  );
  await enrolledPasskey(intake, { email, password, origin });
  const putBack = 'update operator_factor_mark set factor_ids = $2, version = $3, mac = $4 where id = $1';
  const former = [operatorId, JSON.stringify(before?.factor_ids), before?.version, before?.mac];
  for (const [statement, params] of [
    ['delete from operator_factor_mark where id = $1', [operatorId]],
    ["update operator_factor_mark set factor_ids = '[]' where id = $1", [operatorId]],
    ['truncate operator_factor_mark', []],
    [putBack, former],
  ] as const)
    await expect(attacker.execute(statement, [...params])).rejects.toThrow(
      /only move forward|permission denied/,
    );
  const emptied = "update operator_factor_mark set factor_ids = '[]', version = version + 1 where id = $1";
  await attacker.execute(emptied, [operatorId]);
  await attacker.execute(deletion, [operatorId]);
  const id = await proposed();
  expect(await outcome(approvals().approve.mutate({ id }))).toBe('FORBIDDEN');
  expect(await alarms()).toContain(`operator_factor_mark:${operatorId}`);
});

describe('what was enrolled once and is so no more', () => {
  type Row = Readonly<Record<string, unknown>> & { readonly id: string };
  const read = async (table: string, owner: string) => {
    const rows = await attacker.execute<{ row: Row }>(
      `select to_jsonb(t) as row from ${table} t where operator_id = $1 order by id`,
      [owner],
    );
    return rows.map(({ row }) => row);
  };
  /** Makes a row look deleted before the schema knew its ids: no trigger refuses it. */
  async function putBack(table: string, rows: readonly Row[]): Promise<void> {
    const trigger = (how: string) =>
      intake.query(`alter table intake.${table} ${how} trigger ${table}_is_known`);
    await trigger('disable');
    for (const row of rows)
      await attacker.execute(
        `insert into ${table} select (jsonb_populate_record(null::${table}, $1::jsonb)).*`,
        [JSON.stringify(row)],
      );
    await trigger('enable');
  }

  it('an app and its recovery codes that were replaced count for nothing beside the new ones', async () => {
    const reviewer = await reviewerWithPassword();
    const { email: address, operatorId: owner } = reviewer;
    const session = await signIn(intake, { email: address });
    const now = () => new Date(Date.now());
    const former = await enrolApp(intake, { session, operatorId: owner, now: now() });
    const [formerFactor] = await read('operator_factor', owner);
    const formerCodes = await read('operator_recovery_code', owner);
    const present = await enrolApp(intake, { session, operatorId: owner, now: now() });
    const presentRows = await read('operator_factor', owner);
    await attacker.execute(deletion, [owner]);
    await putBack('operator_factor', [formerFactor as Row, ...presentRows]);
    await putBack('operator_recovery_code', formerCodes);

    const next = (secret: string) => codeAt(secret, new Date(Date.now() + 30_000));
    const [recovery = ''] = former.recoveryCodes;
    for (const code of [next(former.secret), recovery])
      expect(await outcome(signIn(intake, { email: address, code }))).toBe('UNAUTHENTICATED');
    expect(await alarms()).toContain(`operator_factor:${formerFactor?.id}`);
    for (const code of [next(present.secret), present.recoveryCodes[0] ?? ''])
      expect(await outcome(signIn(intake, { email: address, code }))).toBe('answered');
  });

  it('recovery codes that the release before made count with their app, and with no later one', async () => {
    const reviewer = await reviewerWithPassword();
    const { email: address, operatorId: owner } = reviewer;
    const session = await signIn(intake, { email: address });
    const made = await enrolApp(intake, { session, operatorId: owner, now: new Date() });
    await using own = await ownDatabase(intake.ground);
    const [stored] = await read('operator_recovery_code', owner);
    const idOf = async (agoMs: number) => {
      const id = uuidv7(Date.now() - agoMs);
      const [code = ''] = made.recoveryCodes;
      const codeSha256 = createHash('sha256')
        .update(`${owner}:${code.replaceAll('-', '')}`)
        .digest('hex');
      const { version, mac } = own.rows.protect('operator_recovery_code', {
        id,
        operatorId: owner,
        codeSha256,
        usedAt: null,
      });
      await attacker.execute('delete from operator_recovery_code where operator_id = $1', [owner]);
      await putBack('operator_recovery_code', [
        { ...stored, id, code_sha256: codeSha256, used_at: null, version, mac },
      ]);
      return outcome(signIn(intake, { email: address, code }));
    };
    expect(await idOf(60 * 60_000)).toBe('UNAUTHENTICATED');
    expect(await idOf(0)).toBe('answered');
  });

  it('a passkey that was removed does not sign in, and neither does one beside which another was deleted', async () => {
    const first = await enrolledPasskey(intake, { email, password, origin });
    const removed = await read('operator_factor', operatorId);
    const second = await enrolledPasskey(intake, { email, password, origin });
    const signInBy = async (authenticator: typeof first) =>
      outcome(signInByPasskey(intake, authenticator.get({ challenge: await passkeyChallenge(intake) })));
    expect([await signInBy(first), await signInBy(second)]).toEqual(['answered', 'answered']);

    const session = await signIn(intake, { email });
    const removal = { factorId: removed[0]?.id ?? '', ...(await provenBy(intake, operatorId)) };
    const { auth } = intake.operators({ kind: 'service', name: 'gateway' });
    await auth.removeFactor.mutate(removal, await showing(intake, session));
    await putBack('operator_factor', removed);
    expect([await signInBy(first), await signInBy(second)]).toEqual(['UNAUTHENTICATED', 'answered']);
    expect(await alarms()).toContain(`operator_factor:${removed[0]?.id}`);

    const third = await enrolledPasskey(intake, { email, password, origin });
    await attacker.execute(
      'delete from operator_factor where id = (select max(id::text)::uuid from operator_factor where operator_id = $1)',
      [operatorId],
    );
    expect([await signInBy(second), await signInBy(third)]).toEqual(['FORBIDDEN', 'UNAUTHENTICATED']);
  });

  it('factors that were enrolled before marks existed are marked when a passkey signs in', async () => {
    const passkey = await enrolledPasskey(intake, { email, password, origin });
    const factorId = await enrolledFactor(operatorId);
    await intake.query('truncate intake.operator_factor_mark');
    await signInByPasskey(intake, passkey.get({ challenge: await passkeyChallenge(intake) }));
    const marks = await attacker.execute('select factor_ids from operator_factor_mark where id = $1', [
      operatorId,
    ]);
    expect(marks).toEqual([{ factor_ids: [factorId] }]);
  });
});
