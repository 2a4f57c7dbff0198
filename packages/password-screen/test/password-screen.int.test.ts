import { setTimeout as delay } from 'node:timers/promises';
import { pollFor } from '@rubrica/testkit';
import { afterEach, expect, test } from 'vitest';
import { createPasswordScreen, type PasswordScreen, type ScreenOptions } from '../src/password-screen.ts';

/** What a password gets unless a test says otherwise. */
const screenedWithinMs = 10_000;

const open: PasswordScreen[] = [];
afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

function makeScreen(options: ScreenOptions = {}): PasswordScreen {
  const screen = createPasswordScreen({ timeoutMs: 60_000, ...options });
  open.push(screen);
  return screen;
}

let owners = 0;
function grade(screen: PasswordScreen, password: string, ownData: readonly string[]) {
  owners += 1;
  return screen.weaknessOf(password, { owner: `link ${owners}`, ownData });
}

/** Threads of this process beside its main one, as the kernel counts them by name. */
async function screeningThreads(): Promise<number> {
  const { readdir, readFile } = await import('node:fs/promises');
  const tasks = await readdir('/proc/self/task');
  const names = await Promise.all(
    tasks.map((task) => readFile(`/proc/self/task/${task}/comm`, 'utf8').catch(() => '')),
  );
  return names.filter((name) => name.startsWith('password screen')).length;
}

const good = ['caballo bateria grapa', 'una clave larga', 'Condor de los Andes 7', 'xkqz71mv%', '7Lp!vQ2#'];

test('words that have nothing to do with each other, and random characters, are good passwords', async () => {
  const screen = makeScreen();
  for (const password of good) {
    expect([password, await grade(screen, password, ['María', '1710034065'])]).toEqual([password, undefined]);
  }
});

test('what is good for one person is their own data to another', async () => {
  const screen = makeScreen();
  expect(await grade(screen, 'Quilotoa4417', [])).toBeUndefined();
  expect(await grade(screen, 'Quilotoa4417', ['Quilotoa 4417'])).toBe('personal');
});

/** As slow to screen as a form lets a password be. */
const slow = '@4'.repeat(32);

test('64 characters chosen to take long hold up nobody else, and are answered in time', async () => {
  const screen = makeScreen();
  await grade(screen, 'warm', []);
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await delay(1);
      turns += 1;
    }
  })();
  const ownData = Array.from({ length: 100 }, (_, i) => `palabra${i} número${i}`);
  for (const hostile of [slow, '4@8(36!1|0$5+7%2'.repeat(4), '()[]{}|_'.repeat(8)]) {
    const before = process.cpuUsage();
    await grade(screen, hostile, ownData);
    const { user, system } = process.cpuUsage(before);
    // How long it takes by the clock says more about what else this machine is doing.
    expect(user + system).toBeLessThan(screenedWithinMs * 1_000);
  }
  isOver = true;
  await others;
  // Were they screened on this thread, each would leave one turn at most.
  expect(turns).toBeGreaterThan(15);
});

test('the dictionaries are there for the first password, and gone when none came for a while', async () => {
  const screen = makeScreen({ idleMs: 200 });
  expect(await screeningThreads()).toBe(0);
  await grade(screen, '12345678', []);
  expect(await screeningThreads()).toBe(1);
  await pollFor(async () => (await screeningThreads()) === 0, { what: 'the thread has ended' });
  expect(await grade(screen, '12345678', [])).toBe('common');
});

test('a password that takes too long is refused as unavailable, never let through; the next is screened', async () => {
  const screen = makeScreen({ timeoutMs: 1 });
  await expect(grade(screen, slow, [])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const patient = makeScreen();
  expect(await grade(patient, '12345678', [])).toBe('common');
});

test('a thread that does not start in its own time ends, and the next password has another', async () => {
  const screen = makeScreen({ startTimeoutMs: 1 });
  await expect(grade(screen, '12345678', [])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await screeningThreads()).toBe(0);
});

test('more passwords at once than may wait are turned away, the others answered each with its own', async () => {
  const screen = makeScreen({ maxWaiting: 3 });
  const asked = ['12345678', 'caballo bateria grapa', 'qwertyuiop', 'abcdefgh'].map((password) =>
    grade(screen, password, []),
  );
  expect(await Promise.allSettled(asked)).toMatchObject([
    { value: 'common' },
    { value: undefined },
    { value: 'common' },
    { reason: { code: 'SERVICE_UNAVAILABLE' } },
  ]);
});

test('one link or operator has one password screened at a time, and the same one sent twice is screened once', async () => {
  const screen = makeScreen({ maxWaiting: 2 });
  const ask = (owner: string, password: string) => screen.weaknessOf(password, { owner, ownData: [] });
  const hostile = Array.from({ length: 20 }, (_, i) => ask('link', `1234567${i % 10}`));
  const other = ask('other', 'qwertyuiop');
  const answers = await Promise.allSettled([...hostile, other]);
  expect(answers.at(-1)).toMatchObject({ value: 'common' });
  const limited = { reason: { code: 'RATE_LIMITED', retryAfterSeconds: 1 } };
  expect(answers.slice(0, 3)).toMatchObject([{ status: 'fulfilled' }, limited, limited]);
  // The second tap on the same form.
  expect(answers[10]).toEqual(answers[0]);
  expect(await ask('link', 'abcdefgh')).toBe('sequence');
});

test('no more of a password is graded than its first 32 characters', async () => {
  const screen = makeScreen();
  const random = 'xkqz71mv%7Lp!vQ2#tR9&bN4*hW6^cY3';
  expect(await grade(screen, 'a'.repeat(32) + random, [])).toBe('repeat');
  expect(await grade(screen, random + 'a'.repeat(32), [])).toBeUndefined();
});
