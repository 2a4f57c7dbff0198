import { createDatabase } from '@rubrica/database/connection';
import { createSweeper } from '@rubrica/database/sweeper';
import { createLogger } from '@rubrica/process/log';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { sweeperTasks } from '../src/sweeper-tasks.ts';
import { outcome, refresh, type SignedIn, showing, signIn } from './support/operator-session.ts';
import { changeOperator, ownDatabase } from './support/own-database.ts';
import { runningIntake } from './support/running-intake.ts';

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const adminId = '01900000-0000-7000-8000-0000000000a1';

const intake = await disposeAfterAll(runningIntake({}, { clock }));

beforeEach(() => intake.query('truncate intake.operator_session'));

const operators = () => intake.operators({ kind: 'service', name: 'gateway' });
const lists = async (by: SignedIn) => outcome(operators().partners.list.query({}, await showing(intake, by)));
const sessions = async (by: SignedIn) => operators().auth.sessions.query({}, await showing(intake, by));
const audited = async (action: string) =>
  (await intake.query('select 1 from intake.audit where action = $1', [action])).length;

/** An attacker with the rights of intake's role in the database and nothing else. */
function roleOfIntake() {
  const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
  return createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger });
}

const ended = 'UNAUTHENTICATED';
/** Every copy remembers a session for 3 s; busy machines are given more. */
const soon = { timeout: 20_000, interval: 200 };

describe('a session', () => {
  it('gives an access token of ten minutes, and is shown to its owner with where it was opened', async () => {
    const one = await signIn(intake, { userAgent: 'Firefox' });
    const other = await signIn(intake, { userAgent: 'curl' });
    expect(one).toMatchObject({ expiresIn: 600, role: 'admin', scope: 'full' });
    const shown = await sessions(other);
    expect(shown.operator).toMatchObject({ operatorId: adminId, email: 'admin@example.com', role: 'admin' });
    expect(shown.items.map(({ userAgent, isCurrent }) => [userAgent, isCurrent])).toEqual([
      ['curl', true],
      ['Firefox', false],
    ]);
    expect(shown.items[0]).toMatchObject({ method: 'password', address: '198.51.100.7' });
  });

  it('ends by signing out, and its access token with it; others go on', async () => {
    const [one, other] = [await signIn(intake), await signIn(intake)];
    expect(await operators().auth.signOut.mutate({}, await showing(intake, one))).toEqual({ ended: 1 });
    expect([await lists(one), await lists(other)]).toEqual([ended, 'answered']);
    expect(await outcome(refresh(intake, one.refreshToken))).toBe(ended);
    expect((await sessions(other)).items).toHaveLength(1);
  });

  it('is ended from another one, by its id, or all at once: signed out everywhere', async () => {
    const all = [await signIn(intake), await signIn(intake), await signIn(intake)] as const;
    const { items } = await sessions(all[0]);
    const sessionId = items.find(({ isCurrent }) => !isCurrent)?.sessionId ?? '';
    const end = async (input: { sessionId: string } | { all: true }) =>
      operators().auth.endSession.mutate(input, await showing(intake, all[0]));
    expect(await end({ sessionId })).toEqual({ ended: 1 });
    expect((await sessions(all[0])).items).toHaveLength(2);
    expect(await end({ all: true })).toEqual({ ended: 2 });
    for (const each of all) expect(await lists(each)).toBe(ended);
  });

  it('of another operator is none of mine', async () => {
    const [mine, hers] = [await signIn(intake), await signIn(intake, { email: 'operator2@example.com' })];
    const sessionId = (await sessions(hers)).items[0]?.sessionId ?? '';
    const answer = operators().auth.endSession.mutate({ sessionId }, await showing(intake, mine));
    expect(await answer).toEqual({ ended: 0 });
    expect(await lists(hers)).toBe('answered');
  });

  it('that another copy has ended is refused here within seconds', async () => {
    const one = await signIn(intake);
    expect(await lists(one)).toBe('answered');
    // As another copy does it: this one hears nothing of it. A row without its MAC is no session either.
    await intake.query('update intake.operator_session set ended_at = now(), version = version + 1');
    await expect.poll(() => lists(one), soon).toBe(ended);
  });

  it('ends with its day, however often it was renewed', async () => {
    let one = await signIn(intake);
    aheadMs += 11 * 3_600_000;
    one = await refresh(intake, one.refreshToken);
    aheadMs += 3_600_000;
    expect(await outcome(refresh(intake, one.refreshToken))).toBe(ended);
  });

  it('ends with a right that its operator loses', async () => {
    const one = await signIn(intake, { email: 'operator2@example.com' });
    await changeOperator(intake.ground, '01900000-0000-7000-8000-0000000000a2', { gen: 2 });
    expect(await outcome(refresh(intake, one.refreshToken))).toBe(ended);
    await expect.poll(() => lists(one), soon).toBe(ended);
  });
});

describe('a refresh token', () => {
  it('is used once: the answer has the next', async () => {
    const first = await signIn(intake);
    const second = await refresh(intake, first.refreshToken);
    const third = await refresh(intake, second.refreshToken);
    expect(new Set([first, second, third].map(({ refreshToken }) => refreshToken)).size).toBe(3);
    expect(await lists(third)).toBe('answered');
  });

  it('that two calls show at the same moment gives both a token that works', async () => {
    const { refreshToken } = await signIn(intake);
    const both = await Promise.all([refresh(intake, refreshToken), refresh(intake, refreshToken)]);
    for (const each of both) expect(await lists(each)).toBe('answered');
    expect(both[0].refreshToken).toBe(both[1].refreshToken);
    expect(await lists(await refresh(intake, both[0].refreshToken))).toBe('answered');
  });

  it('that is shown again later ends the session, and is written down', async () => {
    const before = await audited('auth.refreshTokenReused');
    const { refreshToken } = await signIn(intake);
    const next = await refresh(intake, refreshToken);
    aheadMs += 10_001;
    expect(await outcome(refresh(intake, refreshToken))).toBe(ended);
    expect([await lists(next), await outcome(refresh(intake, next.refreshToken))]).toEqual([ended, ended]);
    expect(await audited('auth.refreshTokenReused')).toBe(before + 1);
  });

  it('ends the session also where it is much older than the present one', async () => {
    const { refreshToken } = await signIn(intake);
    const second = await refresh(intake, refreshToken);
    const third = await refresh(intake, second.refreshToken);
    expect(await outcome(refresh(intake, refreshToken))).toBe(ended);
    expect(await lists(third)).toBe(ended);
  });

  it('that was guessed ends nothing', async () => {
    const one = await signIn(intake);
    const [{ sessionId = '' } = {}] = (await sessions(one)).items;
    const guessed = `${sessionId}.${'A'.repeat(22)}.${'A'.repeat(43)}`;
    for (const token of [guessed, 'x', `${one.refreshToken}x`])
      expect(await outcome(refresh(intake, token))).toBe(ended);
    expect(await lists(one)).toBe('answered');
  });

  it('is nowhere in the database: only its hash, and a copy that intake alone can open', async () => {
    const { refreshToken } = await signIn(intake);
    const [row] = await intake.query<{ all: string }>(
      'select s::text as all from intake.operator_session as s where operator_id = $1',
      [adminId],
    );
    const secret = refreshToken.split('.')[2] ?? 'none';
    expect(row?.all).toContain(adminId);
    expect(row?.all).not.toContain(secret);
  });
});

describe('a new password', () => {
  const email = 'operator2@example.com';
  const operatorId = '01900000-0000-7000-8000-0000000000a2';
  const sealed = async (password: string, owner = operatorId) => {
    const { keyring } = await intake.ground.peer('gateway');
    return keyring.sealTo('intake', password, { purpose: 'account-password', owner });
  };
  const change = async (by: SignedIn, currentPassword: string, newPassword: string) =>
    operators().auth.changePassword.mutate(
      { currentPassword: await sealed(currentPassword), newPassword: await sealed(newPassword) },
      await showing(intake, by),
    );
  const [old, next] = ['correct horse battery', 'a quiet river at dawn'];

  it('takes the present one, ends all other sessions, and opens the door from then on', async () => {
    const [one, other] = [await signIn(intake, { email }), await signIn(intake, { email })];
    const before = await audited('auth.changePassword');
    expect(await change(one, old, next)).toEqual({ ended: 1 });
    expect([await lists(one), await lists(other)]).toEqual(['answered', ended]);
    expect(await outcome(signIn(intake, { email }))).toBe(ended);
    await signIn(intake, { email, password: next });
    expect(await audited('auth.changePassword')).toBe(before + 1);
    await change(one, next, old);
  });

  it('is not taken with a wrong present one, of which ten are looked at', async () => {
    const one = await signIn(intake, { email });
    const wrong = [];
    for (let n = 0; n < 11; n += 1) wrong.push(await outcome(change(one, `wrong ${n}`, next)));
    expect(wrong).toEqual([...Array(10).fill('FORBIDDEN'), 'RATE_LIMITED']);
    await signIn(intake, { email });
  });

  it('crosses the bus sealed to intake, for its owner alone', async () => {
    const one = await signIn(intake, { email });
    const shown = await showing(intake, one);
    const bare = operators().auth.changePassword.mutate({ currentPassword: old, newPassword: next }, shown);
    expect(await outcome(bare)).toBe('FORBIDDEN');
    const hers = { currentPassword: await sealed(old, adminId), newPassword: await sealed(next, adminId) };
    expect(await outcome(operators().auth.changePassword.mutate(hers, shown))).toBe('FORBIDDEN');
  });
});

describe('a session that has ended', () => {
  it.each([
    ['as it was, MAC and all', 'ended_at = null, version = old.version, mac = old.mac'],
    ['with its version', 'ended_at = null, mac = old.mac'],
    ['with another version', 'ended_at = null, version = operator_session.version + 1'],
    ['with another end', `expires_at = now() - interval '1 day', version = operator_session.version + 1`],
  ])('is not put back by the role of intake %s', async (_what, set) => {
    await using attacker = roleOfIntake();
    const one = await signIn(intake);
    const [{ sessionId = '' } = {}] = (await sessions(one)).items;
    const [before] = await attacker.execute<{ version: number; mac: string }>(
      'select version, mac from operator_session where id = $1',
      [sessionId],
    );
    const { auth } = operators();
    await auth.signOut.mutate({}, await showing(intake, one));
    const sql = `update operator_session set ${set} from (select $2::int as version, $3::text as mac) as old where id = $1`;
    const params = [sessionId, before?.version, before?.mac];
    await expect(attacker.execute(sql, params)).rejects.toThrow('only move forward');
    expect(await outcome(refresh(intake, one.refreshToken))).toBe(ended);
  });

  it('is not deleted by the role of intake, so that none is inserted in its place', async () => {
    await using attacker = roleOfIntake();
    const one = await signIn(intake);
    await operators().auth.signOut.mutate({}, await showing(intake, one));
    const deletion = attacker.execute('delete from operator_session');
    await expect(deletion).rejects.toThrow('are kept until they expire');
    await expect(attacker.execute('truncate operator_session')).rejects.toThrow('permission denied');
  });
});

it('the MAC of a session is renewed within its version', async () => {
  await using attacker = roleOfIntake();
  await signIn(intake);
  const renewed = `update operator_session set mac = mac || '' returning 1`;
  expect(await attacker.execute(renewed)).toHaveLength(1);
});

it('sessions are forgotten a week after their end, and challenges that nobody signed', async () => {
  // The database forgets none before its end by its own clock.
  aheadMs = -8 * 86_400_000;
  await signIn(intake);
  await intake.client({ kind: 'service', name: 'gateway' }).tokens.passkeyOptions.mutate({});
  await using own = await ownDatabase(intake.ground);
  const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
  const retention = { issuedDays: 3_653, unissuedDays: 90 };
  const tasks = sweeperTasks({ clock, timeZone: 'America/Guayaquil', retention });
  const sweeper = createSweeper({ database: own.database, tasks, logger });
  const left = async () => {
    await sweeper.sweep();
    const rows = 'select (select count(*) from intake.operator_session)::int as sessions';
    const [row] = await intake.query(
      `${rows}, (select count(*) from intake.operator_challenge)::int as challenges`,
    );
    return row;
  };
  expect(await left()).toEqual({ sessions: 1, challenges: 1 });
  aheadMs += 12 * 3_600_000;
  expect(await left()).toEqual({ sessions: 1, challenges: 0 });
  aheadMs += 7 * 86_400_000;
  expect(await left()).toEqual({ sessions: 0, challenges: 0 });
});
