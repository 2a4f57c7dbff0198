import { createDatabase } from '@rubrica/database/connection';
import { asProduction, disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashPassword } from '../src/access/passwords/password-hash.ts';
import { schema } from '../src/entities.ts';
import { codeAt, enrolApp } from './support/authenticator-app.ts';
import { linkCalls, newestLetter } from './support/links.ts';
import { outcome, signIn } from './support/operator-session.ts';
import { addOperator } from './support/operators.ts';
import { changeOperator } from './support/own-database.ts';
import { enrolledPasskey, passkeyChallenge, signInByPasskey } from './support/passkeys.ts';
import { asOperator, byTwo, runningIntake } from './support/running-intake.ts';

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const origin = 'https://console.example';
const operatorId = '01900000-0000-7000-8000-0000000000a1';
const email = 'admin@example.com';
const password = 'correct horse battery';
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const outside = Object.fromEntries(
  ['REGISTRY', 'TAX_REGISTRY', 'LIVENESS'].flatMap((name) => [
    [`${name}_URL`, 'http://127.0.0.1:9'],
    [`${name}_TOKEN`, 'token'],
  ]),
);

const intake = await disposeAfterAll(
  runningIntake({ ...asProduction, CONSOLE_URL: origin, ...outside }, { clock }),
);
/** With intake's role in the database alone. */
const attacker = await disposeAfterAll(
  createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger }),
);

beforeEach(async () => {
  for (const table of ['operator_recovery_code', 'operator_letter', 'sign_in_attempt'])
    await intake.query(`delete from intake.${table}`);
  await intake.query('truncate intake.operator_factor, intake.operator_factor_mark');
});

async function enrolled() {
  return enrolApp(intake, { session: await signIn(intake), operatorId, now: clock() });
}
const nextCode = (secret: string) => {
  aheadMs += 30_000;
  return codeAt(secret, clock());
};
/** Six digits that no step around the present moment has. */
function wrongCode(secret: string): string {
  const near = [-30_000, 0, 30_000, 60_000].map((ms) => codeAt(secret, new Date(clock().getTime() + ms)));
  return ['111111', '222222', '333333', '444444', '555555'].find((one) => !near.includes(one)) ?? '';
}
const guess = async (secret: string, times: number, of = email) => {
  const answers: string[] = [];
  for (let n = 0; n < times; n += 1)
    answers.push(
      await outcome(signIn(intake, { email: of, code: wrongCode(secret), address: `203.0.113.${n}` })),
    );
  return answers;
};
const forgetAttempts = () => intake.query('delete from intake.sign_in_attempt');
const audited = async (action: string) => {
  const rows = await intake.query<{ details: object }>(
    `select details from intake.audit where action = $1 and target = $2 order by id`,
    [action, `operator:${operatorId}`],
  );
  return rows.map(({ details }) => details);
};
const letters = () =>
  intake.query(`select 1 from intake.operator_letter where template = 'operator-wrong-codes'`);
const wrong = 'UNAUTHENTICATED';
const locked = 'CODES_LOCKED';

describe('one-time codes after the right password', () => {
  it('are compared ten times, however many are tried at once from however many addresses', async () => {
    const { secret, recoveryCodes } = await enrolled();
    const code = wrongCode(secret);
    const answers: string[] = [];
    for (let batch = 0; batch < 12; batch += 1) {
      const tries = Array.from({ length: 20 }, (_, n) => {
        const address = `203.0.113.${(20 * batch + n) % 30}`;
        return outcome(signIn(intake, { code, address }));
      });
      answers.push(...(await Promise.all(tries)));
    }
    expect(answers).toHaveLength(240);
    expect(answers.filter((answer) => answer === wrong)).toHaveLength(10);
    expect(new Set(answers)).toEqual(new Set([wrong, locked]));
    expect(await audited('auth.lockCodes')).toEqual([{ inRow: 10, inDay: 10 }]);
    const home = { address: '192.0.2.1' };
    expect(await outcome(signIn(intake, { code: nextCode(secret), ...home }))).toBe(locked);
    expect(await outcome(signIn(intake, { password: 'not the password', code: '000000', ...home }))).toBe(
      wrong,
    );
    expect(await outcome(signIn(intake, home))).toBe('challenge code');
    await signIn(intake, { code: recoveryCodes[0] ?? '', ...home });
    expect(await audited('auth.unlockCodes')).toEqual([{ method: 'recoveryCode' }]);
    await signIn(intake, { code: nextCode(secret), ...home });
  });

  it('are compared again once their owner has signed in by passkey', async () => {
    const authenticator = await enrolledPasskey(intake, { email, password, origin });
    const passkey = async () =>
      signInByPasskey(intake, authenticator.get({ challenge: await passkeyChallenge(intake) }));
    const { secret } = await enrolApp(intake, { session: await passkey(), operatorId, now: clock() });
    expect(await guess(secret, 11)).toEqual([...Array(10).fill(wrong), locked]);
    await passkey();
    await signIn(intake, { code: nextCode(secret) });
    expect((await audited('auth.unlockCodes')).at(-1)).toEqual({ method: 'passkey' });
  });

  it('are 30 wrong ones in a day, whatever lies between them', async () => {
    const { secret, recoveryCodes } = await enrolled();
    for (let row = 0; row < 3; row += 1) {
      expect(await guess(secret, 9)).toEqual(Array(9).fill(wrong));
      await signIn(intake, { code: nextCode(secret) });
      // Else the account is delayed more and more.
      await forgetAttempts();
    }
    expect(await guess(secret, 4)).toEqual([...Array(3).fill(wrong), locked]);
    expect((await audited('auth.lockCodes')).at(-1)).toEqual({ inRow: 3, inDay: 30 });
    await signIn(intake, { code: recoveryCodes[0] ?? '' });
    expect(await guess(secret, 2)).toEqual([wrong, locked]);
    aheadMs += 24 * 60 * 60_000;
    await signIn(intake, { code: recoveryCodes[1] ?? '' });
    expect(await guess(secret, 9)).toEqual(Array(9).fill(wrong));
    await signIn(intake, { code: nextCode(secret) });
  });

  it('that are wrong three times in a row are told to the operator, once for each row', async () => {
    const { secret } = await enrolled();
    await guess(secret, 2);
    await signIn(intake, { code: nextCode(secret) });
    await guess(secret, 2);
    expect(await letters()).toHaveLength(0);
    await guess(secret, 2);
    expect(await letters()).toHaveLength(1);
    const { message } = await newestLetter(intake, email);
    expect(message).toMatchObject({
      template: 'operator-wrong-codes',
      language: 'es',
      to: email,
      expiresAt: null,
    });
    expect((await intake.outbox('jobs.mail.send')).at(-1)).toEqual({ messageId: message.messageId });
  });

  it('are compared again with a new app after an administrator has reset the factors', async () => {
    const { email, operatorId } = await addOperator(intake, 'reviewer');
    await changeOperator(intake.ground, operatorId, { passwordHash: await hashPassword(password) });
    const session = await signIn(intake, { email });
    const { secret } = await enrolApp(intake, { session, operatorId, now: clock() });
    expect((await guess(secret, 11, email)).at(-1)).toBe(locked);
    await byTwo(intake, ({ operators }) => operators.resetFactors.mutate({ operatorId, language: 'en' }));
    const { token = '' } = await newestLetter(intake, email);
    await (await linkCalls(intake, token)).accept({ password });
    const again = { session: await signIn(intake, { email }), operatorId, now: clock() };
    const next = await enrolApp(intake, again);
    expect(await guess(next.secret, 3, email)).toEqual(Array(3).fill(wrong));
    const { message } = await newestLetter(intake, email);
    expect(message).toMatchObject({ template: 'operator-wrong-codes', language: 'en' });
    await signIn(intake, { email, code: nextCode(next.secret) });
  });
});

describe("whoever has intake's database role", () => {
  const changes = {
    'sets the count back': `update operator_code_tally set in_row = 0, wrong_at = '[]', locked_at = null`,
    'sets it back in a new version': `update operator_code_tally set in_row = 0, wrong_at = '[]', locked_at = null, version = version + 1`,
    'moves the row away': `update operator_code_tally set id = gen_random_uuid(), version = version + 1`,
    'deletes the row': `delete from operator_code_tally`,
  };
  it.each(Object.entries(changes))('%s, and has no code compared by it', async (_what, sql) => {
    const { secret } = await enrolled();
    await guess(secret, 11);
    await attacker.execute(sql).catch(() => undefined);
    await forgetAttempts();
    expect(await outcome(signIn(intake, { code: nextCode(secret) }))).toBe(locked);
  });

  it('puts no earlier row back, MAC and all', async () => {
    const { secret } = await enrolled();
    await guess(secret, 1);
    const [early] = await attacker.execute<Record<string, unknown>>(
      `select t.* from operator_code_tally t join operator_factor f on f.id = t.id`,
    );
    await guess(secret, 10);
    const restore = attacker.execute(
      `update operator_code_tally set in_row = $2, locked_at = null, version = $3, mac = $4 where id = $1`,
      [early?.id, early?.in_row, early?.version, early?.mac],
    );
    await expect(restore).rejects.toThrow();
    await forgetAttempts();
    expect(await outcome(signIn(intake, { code: nextCode(secret) }))).toBe(locked);
  });

  it('raises the alarm by a changed row', async () => {
    const { secret } = await enrolled();
    await guess(secret, 1);
    await attacker.execute('update operator_code_tally set in_row = 0, version = version + 1');
    await outcome(signIn(intake, { code: nextCode(secret) }));
    const { warnings } = await intake.operators(asOperator('admin')).overview.query();
    const subjects = warnings
      .filter(({ code }) => code === 'ROW_NOT_AUTHENTIC')
      .map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringMatching(/^operator_code_tally:/));
  });
});
