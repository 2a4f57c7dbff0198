import { spawnSync } from 'node:child_process';
import { LockMode } from '@mikro-orm/postgresql';
import { asProduction } from '@rubrica/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OperatorFactorEntity } from '../src/access/factors/factor.entity.ts';
import { OperatorEntity } from '../src/access/operators/operator.entity.ts';
import { codeAt } from './support/authenticator-app.ts';
import { outcome, provenBy, type SignedIn, showing, signIn } from './support/operator-session.ts';
import { ownDatabase } from './support/own-database.ts';
import { type RunningIntake, runningIntake } from './support/running-intake.ts';

let intake: RunningIntake;
let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const operatorId = '01900000-0000-7000-8000-0000000000a1';

const outside = Object.fromEntries(
  ['REGISTRY', 'TAX_REGISTRY', 'LIVENESS'].flatMap((name) => [
    [`${name}_URL`, 'http://127.0.0.1:9'],
    [`${name}_TOKEN`, 'token'],
  ]),
);

beforeAll(async () => {
  intake = await runningIntake(
    { ...asProduction, CONSOLE_URL: 'https://console.example', ...outside },
    { clock },
  );
});
afterAll(() => intake[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ['operator_recovery_code', 'operator_factor', 'sign_in_attempt'])
    await intake.query(`delete from intake.${table}`);
  await intake.query('truncate intake.operator_factor_mark');
});

const operators = () => intake.operators({ kind: 'service', name: 'gateway' });
const lists = async (by: SignedIn) => outcome(operators().partners.list.query({}, await showing(intake, by)));

const opened = async (sealed: string, purpose: 'totp-secret-shown' | 'recovery-codes') => {
  const { keyring } = await intake.ground.peer('gateway');
  return keyring.openText(sealed, { purpose, owner: operatorId });
};

const proof = () => provenBy(intake, operatorId);

/** What an app has after it has read the QR code. */
async function newSecret(by: SignedIn): Promise<string> {
  const begun = await operators().auth.enrolTotp.mutate(await proof(), await showing(intake, by));
  if (!('secret' in begun)) throw new Error('no secret was made');
  const uri = new URL(await opened(begun.otpauthUri, 'totp-secret-shown'));
  const secret = await opened(begun.secret, 'totp-secret-shown');
  expect(uri.searchParams.get('secret')).toBe(secret);
  return secret;
}

async function confirm(by: SignedIn, code: string) {
  const { keyring } = await intake.ground.peer('gateway');
  const sealed = await keyring.sealTo('intake', code, { purpose: 'account-code', owner: operatorId });
  const given = { ...(await proof()), code: sealed };
  const made = await operators().auth.enrolTotp.mutate(given, await showing(intake, by));
  if (!('recoveryCodes' in made)) throw new Error('nothing was confirmed');
  const recoveryCodes = await Promise.all(made.recoveryCodes.map((one) => opened(one, 'recovery-codes')));
  return { factorId: made.factorId, recoveryCodes };
}

const codeNow = (secret: string) => codeAt(secret, clock());
const nextCode = (secret: string) => {
  aheadMs += 30_000;
  return codeNow(secret);
};

async function enrolled() {
  const session = await signIn(intake);
  const secret = await newSecret(session);
  return { session, secret, ...(await confirm(session, codeNow(secret))) };
}

describe('a sign-in by password', () => {
  it('gives a session that may enrol a second factor and nothing else, until it has', async () => {
    const session = await signIn(intake);
    expect(session.scope).toBe('enrolment');
    expect(await lists(session)).toBe('FORBIDDEN');
    const { keyring } = await intake.ground.peer('gateway');
    const token = await keyring.sealTo('intake', session.accessToken, {
      purpose: 'door-token',
      owner: 'gateway',
    });
    const gateway = intake.client({ kind: 'service', name: 'gateway' });
    const forTerms = gateway.tokens.forCall.query({ sealedToken: token, receiver: 'terms' });
    expect(await outcome(forTerms)).toBe('FORBIDDEN');
    const secret = await newSecret(session);
    expect(await outcome(confirm(session, '000000'))).toBe('FORBIDDEN');
    await confirm(session, codeNow(secret));
    expect(await lists(session)).toBe('answered');
  });

  it('gives no second session that goes on without a factor, once one is enrolled', async () => {
    const [thief, owner] = [await signIn(intake), await signIn(intake)];
    const secret = await newSecret(owner);
    await confirm(owner, codeNow(secret));
    const again = newSecret(thief).then((other) => confirm(thief, codeNow(other)));
    expect(await outcome(again)).toBe('UNAUTHENTICATED');
    await expect.poll(() => lists(thief), { timeout: 20_000, interval: 200 }).toBe('UNAUTHENTICATED');
    await signIn(intake, { code: nextCode(secret) });
  });

  it('that is under way while a factor is enrolled is asked for that factor', async () => {
    await using own = await ownDatabase(intake.ground);
    const enrolling = Promise.withResolvers<Promise<string>>();
    await own.database.transaction(async (em) => {
      const lockMode = LockMode.PESSIMISTIC_WRITE;
      await em.findOneOrFail(OperatorEntity, { id: operatorId }, { lockMode });
      let isOver = false;
      const signingIn = outcome(signIn(intake)).finally(() => {
        isOver = true;
      });
      enrolling.resolve(signingIn);
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%operator%'`;
      await expect.poll(async () => isOver || (await intake.query(waiting)).length > 0).toBe(true);
      const id = crypto.randomUUID();
      em.create(OperatorFactorEntity, {
        ...{ id, operatorId, kind: 'passkey', name: 'key', sealedSecret: null },
        ...{ credentialId: 'a', publicKey: 'b', createdAt: clock(), confirmedAt: clock(), lastUsedAt: null },
      });
    });
    expect(await await enrolling.promise).toBe('challenge passkey');
  });

  it('asks for a code of who has enrolled one, and each code counts once', async () => {
    const { secret } = await enrolled();
    expect(await outcome(signIn(intake))).toBe('challenge code');
    // It was used to enrol.
    expect(await outcome(signIn(intake, { code: codeNow(secret) }))).toBe('UNAUTHENTICATED');
    const code = nextCode(secret);
    expect(await signIn(intake, { code })).toMatchObject({ scope: 'full', role: 'admin' });
    expect(await outcome(signIn(intake, { code }))).toBe('UNAUTHENTICATED');
  });

  it('of two at the same moment with one code lets one in', async () => {
    const { secret } = await enrolled();
    const code = nextCode(secret);
    const both = await Promise.all([1, 2].map(() => outcome(signIn(intake, { code }))));
    expect(both.sort()).toEqual(['UNAUTHENTICATED', 'answered']);
  });

  it('slows wrong codes down as it does wrong passwords, and a password alone between them forgives none', async () => {
    const { secret } = await enrolled();
    const answers: string[] = [];
    for (let n = 0; n < 11; n += 1) {
      answers.push(await outcome(signIn(intake, { code: '000000' })));
      if (n < 8) expect(await outcome(signIn(intake))).toBe('challenge code');
    }
    expect(answers).toEqual([...Array(10).fill('UNAUTHENTICATED'), 'RATE_LIMITED']);
    expect(await outcome(signIn(intake, { code: codeNow(secret) }))).toBe('RATE_LIMITED');
    const [row] = await intake.query<{ count: string }>(
      `select count(*) from intake.audit where details ->> 'factor' = 'code'`,
    );
    expect(Number(row?.count)).toBeGreaterThanOrEqual(10);
  });

  it('takes each recovery code once in place of a code, however it is written', async () => {
    const { recoveryCodes } = await enrolled();
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = '', second = ''] = recoveryCodes;
    const session = await signIn(intake, { code: first });
    expect(await outcome(signIn(intake, { code: first }))).toBe('UNAUTHENTICATED');
    await signIn(intake, { code: second.replaceAll('-', '').toLowerCase() });
    const shown = await operators().auth.sessions.query({}, await showing(intake, session));
    expect(shown).toMatchObject({ recoveryCodesLeft: 8, factors: [{ kind: 'totp', name: 'app' }] });
    const [row] = await intake.query<{ all: string }>(
      `select string_agg(to_jsonb(c)::text, '') as all from intake.operator_recovery_code as c`,
    );
    expect(row?.all).not.toContain(first);
  });
});

describe('a factor', () => {
  it('is replaced by a new app, whose codes count from then on; the former recovery codes count no more', async () => {
    const { session, secret, recoveryCodes } = await enrolled();
    const next = await newSecret(session);
    await confirm(session, codeNow(next));
    expect(await outcome(signIn(intake, { code: nextCode(secret) }))).toBe('UNAUTHENTICATED');
    expect(await outcome(signIn(intake, { code: recoveryCodes[0] ?? '' }))).toBe('UNAUTHENTICATED');
    await signIn(intake, { code: codeNow(next) });
  });

  it('that is the only one stays', async () => {
    const { session, factorId } = await enrolled();
    const remove = operators().auth.removeFactor.mutate(
      { ...(await proof()), factorId },
      await showing(intake, session),
    );
    expect(await outcome(remove)).toBe('REQUEST_STATE_NOT_ALLOWED');
  });

  it('that was changed in the database lets nobody in', async () => {
    const { secret } = await enrolled();
    await intake.query('update intake.operator_factor set last_step = last_step - 1');
    expect(await outcome(signIn(intake))).toBe('FORBIDDEN');
    expect(await outcome(signIn(intake, { code: nextCode(secret) }))).toBe('FORBIDDEN');
  });
});

const hasOathtool = spawnSync('oathtool', ['--version']).status === 0;
it.skipIf(!hasOathtool)('the code is the one that oathtool makes (skipped where it is not installed)', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  for (const seconds of [59, 1_111_111_109, 1_234_567_890]) {
    const now = new Date(seconds * 1_000).toISOString();
    const made = spawnSync('oathtool', [
      '--totp',
      '-b',
      secret,
      '--now',
      now.replace('T', ' ').replace('.000Z', ' UTC'),
    ]);
    expect(codeAt(secret, new Date(seconds * 1_000))).toBe(made.stdout.toString().trim());
  }
});
