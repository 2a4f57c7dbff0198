import { createSweeper } from '@rubrica/database/sweeper';
import { createLogger } from '@rubrica/process/log';
import { systemClock, uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPasswordHashes } from '../src/access/passwords/password-hashes.ts';
import { createSignIn } from '../src/access/sign-in/sign-in.ts';
import { sweeperTasks } from '../src/sweeper-tasks.ts';
import { ownDatabase } from './support/own-database.ts';
import { runningIntake } from './support/running-intake.ts';

let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const right = 'correct horse battery';
const email = 'admin@example.com';
const home = '198.51.100.7';
const elsewhere = '203.0.113.9';

const intake = await disposeAfterAll(runningIntake({}, { clock }));

beforeEach(() => intake.query('truncate intake.sign_in_attempt'));

/** As the gateway asks. @returns `in`, or the code of the refusal with the seconds to wait */
async function signIn(password: string, { account = email, address = elsewhere } = {}): Promise<string> {
  const { keyring } = await intake.ground.peer('gateway');
  const binding = { purpose: 'operator-password', owner: account.toLowerCase() } as const;
  const sealedPassword = await keyring.sealTo('intake', password, binding);
  const gateway = intake.client({ kind: 'service', name: 'gateway' });
  try {
    await gateway.tokens.signIn.mutate({ email: account, sealedPassword, address });
    return 'in';
  } catch (error) {
    const { appCode, retryAfterSeconds } = (
      error as { data: { appCode: string; retryAfterSeconds?: number } }
    ).data;
    return retryAfterSeconds === undefined ? appCode : `${appCode} ${retryAfterSeconds}`;
  }
}

async function guess(times: number, where: { account?: string; address?: string } = {}): Promise<string[]> {
  const answers: string[] = [];
  for (let n = 0; n < times; n += 1) answers.push(await signIn(`wrong ${n}`, where));
  return answers;
}

const wrong = 'UNAUTHENTICATED';

describe('wrong passwords', () => {
  it('of one account from one address are ten, and then the right one waits there too', async () => {
    expect(await guess(10)).toEqual(Array(10).fill(wrong));
    expect(await signIn(right)).toMatch(/^RATE_LIMITED (29|30)$/);
    expect(await signIn(right, { account: email.toUpperCase() })).toMatch(/^RATE_LIMITED/);
    aheadMs += 31_000;
    expect(await guess(2)).toEqual([wrong, expect.stringMatching(/^RATE_LIMITED (59|60)$/)]);
    aheadMs += 61_000;
    expect(await signIn(right)).toBe('in');
  });

  it('lock nobody out who comes from elsewhere, however many they are', async () => {
    await guess(12);
    expect(await signIn(right, { address: home })).toBe('in');
    expect(await signIn(right)).toMatch(/^RATE_LIMITED/);
  });

  it('of others leave an account at the same address alone', async () => {
    await guess(12);
    expect(await signIn(right, { account: 'operator2@example.com' })).toBe('in');
  });

  it('at the same moment are looked at ten times and no more', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => signIn(`wrong ${n}`)));
    expect(answers.filter((answer) => answer === wrong)).toHaveLength(10);
    expect(answers.filter((answer) => answer.startsWith('RATE_LIMITED'))).toHaveLength(20);
  });

  it('tell nobody who is an operator: an account that is not there waits like any other', async () => {
    expect(await guess(11, { account: 'nobody@example.com' })).toEqual([
      ...Array(10).fill(wrong),
      expect.stringMatching(/^RATE_LIMITED (29|30)$/),
    ]);
  });

  it('are forgotten at that address when the right one comes', async () => {
    await guess(9);
    expect(await signIn(right)).toBe('in');
    expect(await guess(9)).toEqual(Array(9).fill(wrong));
    expect(await signIn(right)).toBe('in');
  });

  it('are no reason to keep a password or an address: only hashes stand in the table, and not for long', async () => {
    await guess(1, { account: 'a-password-in-the-wrong-field@example.com' });
    const [rows] = await intake.query<{ all: string }>(
      `select string_agg(attempt::text, ' ') as all from intake.sign_in_attempt as attempt`,
    );
    expect(rows?.all).not.toMatch(/wrong-field|203\.0\.113/);
    await using own = await ownDatabase(intake.ground);
    const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
    const tasks = sweeperTasks({
      clock,
      retention: { issuedDays: 3_653, unissuedDays: 90 },
      timeZone: 'America/Guayaquil',
    });
    const sweeper = createSweeper({ database: own.database, tasks, logger });
    const count = async () => (await intake.query('select 1 from intake.sign_in_attempt')).length;
    await sweeper.sweep();
    expect(await count()).toBe(3);
    aheadMs += 15 * 60_000;
    await sweeper.sweep();
    expect(await count()).toBe(0);
  });

  it('of one account from one /56 of IPv6 are forty, over however many of its networks they are spread', async () => {
    const from = (site: number, n: number) => ({
      address: `2001:db8:0:${(site * 256 + n).toString(16)}::/64`,
    });
    for (const half of [0, 20]) {
      const tries = Array.from({ length: 20 }, (_, n) => signIn('wrong', from(1, half + n)));
      expect(await Promise.all(tries)).toEqual(Array(20).fill(wrong));
    }
    expect(await signIn(right, from(1, 100))).toMatch(/^RATE_LIMITED/);
    expect(await signIn(right, from(2, 0))).toBe('in');
    aheadMs += 31_000;
    expect(await signIn(right, from(1, 100))).toBe('in');
    expect(await signIn('wrong', from(1, 101))).toBe(wrong);
  });

  it('from one address are slowed from 200 on, whatever the account, and others are not', async () => {
    const hash = (address: string) => `encode(sha256(convert_to('["address","${address}"]', 'UTF8')), 'hex')`;
    await intake.query(
      `insert into intake.sign_in_attempt (key, count, ends_at, waits_until)
       values (${hash(elsewhere)}, 199, $1, to_timestamp(0))`,
      [new Date(clock().getTime() + 60_000)],
    );
    expect(await signIn('wrong', { account: 'one@example.com' })).toBe(wrong);
    expect(await signIn('wrong', { account: 'two@example.com' })).toMatch(/^RATE_LIMITED (9|10)$/);
    expect(await signIn(right, { address: home })).toBe('in');
    aheadMs += 11_000;
    expect(await signIn(right)).toBe('in');
  });
});

it('an account that is tried from everywhere is delayed, by two seconds at most, and its owner gets in', async () => {
  await using own = await ownDatabase(intake.ground);
  const delays: number[] = [];
  const operatorSessions = { name: 'Rubrica', accessSeconds: 600, lifeHours: 12 };
  const passwordHashes = createPasswordHashes({ atOnce: 2, waiting: 20, waitMs: 60_000 });
  const times = { passwordHashes, clock, tokenClock: systemClock, newId: uuidv7, operatorSessions };
  const deps = { ...own, ...times, sandbox: true, baseUrl: 'http://127.0.0.1:3000' };
  const handle = createSignIn(deps, { wait: async (ms) => void delays.push(ms) });
  const { keyring } = await intake.ground.peer('gateway');
  const from = async (password: string, address: string) => {
    const binding = { purpose: 'operator-password', owner: email } as const;
    const sealedPassword = await keyring.sealTo('intake', password, binding);
    const context = { peer: 'gateway', caller: { kind: 'service', name: 'gateway' } } as never;
    return handle({ email, sealedPassword, address }, context);
  };
  for (let n = 0; n < 40; n += 1)
    await expect(from('wrong', `203.0.113.${n}`)).rejects.toMatchObject({ code: wrong });
  expect(delays).toEqual(Array.from({ length: 30 }, (_, n) => Math.min(2_000, 100 * (n + 1))));
  expect(await from(right, home)).toMatchObject({ role: 'admin' });
  expect(Math.max(...delays)).toBe(2_000);
});
