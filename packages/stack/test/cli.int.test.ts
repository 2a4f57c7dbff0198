import { spawn } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { StackInfo } from '../src/index.ts';
import { makeFixtureApps, readRun, temporaryHome, waitFor } from './helpers.ts';

const fixtureApps = makeFixtureApps();

const cli = join(import.meta.dirname, '..', 'src', 'cli.ts');

function start(args: string[], home: string, env: Record<string, string> = {}) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, RUBRICA_HOME: home, RUBRICA_APPS: fixtureApps, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output.text += text;
    });
  }
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output, code };
}

async function finish(args: string[], home: string, env?: Record<string, string>) {
  const { output, code } = start(args, home, env);
  return { code: await code, text: output.text };
}

test('start prints where everything is, status agrees, Ctrl-C stops it, reset removes it', async () => {
  await using home = await temporaryHome();
  const running = start(['start', '--copies', 'intake=2'], home.path);
  await waitFor(() => running.output.text.includes('Ctrl-C') || undefined, 'the addresses', 200_000);
  const info = JSON.parse(await readFile(join(home.path, 'stack.json'), 'utf8')) as StackInfo;
  expect(running.output.text).toContain(info.baseUrl);
  expect(running.output.text).toContain(info.partners.sandbox.clientId);
  expect(info.services.intake.pids).toHaveLength(2);
  expect((await finish(['status'], home.path)).text).toMatch(/intake +ready/);
  const second = await finish(['start'], home.path);
  expect(second).toMatchObject({ code: 1, text: expect.stringContaining('already running') });
  running.child.kill('SIGINT');
  expect(await running.code).toBe(0);
  expect(running.output.text).toContain('Stopped');
  expect(await finish(['status'], home.path)).toMatchObject({
    code: 1,
    text: expect.stringContaining('Not running'),
  });
  expect((await finish(['reset'], home.path)).code).toBe(0);
  await expect(stat(home.path)).rejects.toThrow('ENOENT');
});

test('audit could not look where no stack runs, and says what it takes', async () => {
  await using home = await temporaryHome();
  expect(await finish(['audit', 'verify'], home.path)).toMatchObject({
    code: 2,
    text: expect.stringContaining('no stack is running here'),
  });
  for (const args of [
    ['audit'],
    ['audit', 'verify', '--service', 'gateway'],
    ['audit', 'verify', '--checkpoint', 'x'],
  ]) {
    expect(await finish(args, home.path)).toMatchObject({ code: 2, text: expect.stringContaining('--json') });
  }
});

test('reset stops a running stack first', async () => {
  await using home = await temporaryHome();
  const running = start(['start'], home.path);
  await waitFor(() => running.output.text.includes('Ctrl-C') || undefined, 'readiness', 200_000);
  const { children } = await readRun(home.path);
  expect((await finish(['reset'], home.path)).code).toBe(0);
  expect(await running.code).toBe(0);
  for (const { pid } of children) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('reset refuses a folder that holds something else', async () => {
  await using home = await temporaryHome();
  await mkdir(home.path, { recursive: true });
  await writeFile(join(home.path, 'thesis.txt'), 'ten years of work');
  const { code, text } = await finish(['reset'], home.path);
  expect([code, text]).toEqual([1, expect.stringContaining('thesis.txt')]);
  expect(await readFile(join(home.path, 'thesis.txt'), 'utf8')).toBe('ten years of work');
});

test.each(['demo', 'start', 'reset', 'status', 'bench', 'secrets', 'keys'])(
  '%s explains itself',
  async (command) => {
    await using home = await temporaryHome();
    const { code, text } = await finish([command, '--help'], home.path);
    expect([code, text]).toEqual([0, expect.stringContaining(command)]);
  },
);

test.each([
  [['stat'], 'There is no command "stat"'],
  [['start', '--copies', 'intake=0'], 'intake=2'],
  [['start', '--fast'], '--fast'],
])('%j is refused as a wrong call with what would be right', async (args, words) => {
  await using home = await temporaryHome();
  expect(await finish(args, home.path)).toMatchObject({ code: 2, text: expect.stringContaining(words) });
});

test('a wrong PORT is named', async () => {
  await using home = await temporaryHome();
  const { code, text } = await finish(['start'], home.path, { PORT: 'eighty' });
  expect([code, text]).toEqual([1, expect.stringContaining('got "eighty"')]);
});

test('a machine without nats-server and apt is told every way to get it', async () => {
  await using home = await temporaryHome();
  const { locateNatsServer } = await import('@rubrica/testkit/nats');
  const path = process.env.PATH;
  process.env.PATH = home.path;
  try {
    const looking = locateNatsServer({ binDirectory: join(home.path, 'bin'), path: home.path });
    await expect(looking).rejects.toThrow(/apt-get install nats-server[\s\S]*brew[\s\S]*NATS_URL/);
  } finally {
    process.env.PATH = path;
  }
});

test('ca works on the data folder while nothing runs there', async () => {
  await using home = await temporaryHome();
  const empty = await finish(['ca', 'status'], home.path);
  expect(empty).toMatchObject({ code: 1, text: expect.stringContaining('There is no stack here yet') });
  const made = await finish(['ca', 'init'], home.path, { CA_KEY_ALGORITHM: 'P_256', PORT: '4100' });
  expect(made).toMatchObject({ code: 0, text: expect.stringContaining('active: signs new certificates') });
  const shown = await finish(['ca', 'status'], home.path);
  expect(shown).toMatchObject({ code: 0, text: expect.stringContaining(join(home.path, 'ca')) });
  expect((await finish(['ca', 'burn'], home.path)).code).toBe(2);
  expect(await finish(['ca', '--help'], home.path)).toMatchObject({
    code: 0,
    text: expect.stringContaining('npm run ca'),
  });
});
