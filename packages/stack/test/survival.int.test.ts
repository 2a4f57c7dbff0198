import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, chownSync, constants } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedDirectory, withClient } from '@rubrica/testkit/postgres';
import { identifyProcess, type ProcessIdentity } from '@rubrica/testkit/processes';
import { expect, onTestFinished, test } from 'vitest';
import type { StackInfo } from '../src/index.ts';
import { startStack } from '../src/index.ts';
import { allGone, makeFixtureApps, readRun, readSettings, temporaryHome, waitFor } from './helpers.ts';

const fixtureApps = makeFixtureApps();

const runner = join(import.meta.dirname, 'fixtures', 'run-stack.ts');

/** Runs a whole stack under a supervisor of its own and gives what it says once it is ready. */
async function runStack(home: string, account: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [runner, home, fixtureApps], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: home },
    ...account,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = collect(child);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const info = await Promise.race([
    waitFor(
      () => (output.out.includes('\n') ? (JSON.parse(output.out) as StackInfo) : undefined),
      'ready',
      200_000,
    ),
    exited.then(() => Promise.reject(new Error(`the stack ended:\n${output.err}`))),
  ]);
  return { child, info, exited };
}

function collect(child: ChildProcess): { out: string; err: string } {
  const output = { out: '', err: '' };
  child.stdout?.on('data', (data) => {
    output.out += data;
  });
  child.stderr?.on('data', (data) => {
    output.err += data;
  });
  return output;
}

const keep = (info: StackInfo) =>
  withClient(info.databaseUrl, (client) => client.query('create table intake.kept as select 7 as n'));
const kept = (info: StackInfo) =>
  withClient(info.databaseUrl, async (client) => (await client.query('select n from intake.kept')).rows);

test('after SIGKILL of every process at once the next start has all data and the same credentials', async () => {
  await using home = await temporaryHome();
  const { child, info, exited } = await runStack(home.path);
  await keep(info);
  const { children } = await readRun(home.path);
  for (const pid of [child.pid as number, ...children.map((one) => one.pid)]) process.kill(pid, 'SIGKILL');
  await exited;
  await waitFor(() => allGone(children), 'the death of all');
  await using stack = await startStack({ home: home.path, appsDirectory: fixtureApps });
  expect(await kept(stack.info())).toEqual([{ n: 7 }]);
  expect(stack.info().partners).toEqual(info.partners);
});

test('after SIGKILL of the supervisor alone its processes end, and the next start takes over', async () => {
  await using home = await temporaryHome();
  const { child, info, exited } = await runStack(home.path);
  await keep(info);
  const { children } = await readRun(home.path);
  child.kill('SIGKILL');
  await exited;
  await using stack = await startStack({ home: home.path, appsDirectory: fixtureApps });
  expect(allGone(children)).toBe(true);
  expect(await kept(stack.info())).toEqual([{ n: 7 }]);
});

test('a process that was later given a recorded number is left alone', async () => {
  await using home = await temporaryHome();
  const options = { home: home.path, appsDirectory: fixtureApps };
  await (await startStack(options)).stop();
  const bystander = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void bystander.kill('SIGKILL'));
  const identity = identifyProcess(bystander.pid as number) as ProcessIdentity;
  const old = { ...identity, startedAt: `${identity.startedAt}0` };
  const run = { supervisor: old, children: [{ name: 'intake', ...old }] };
  await writeFile(join(home.path, 'state', 'run.json'), JSON.stringify(run));
  await writeFile(join(home.path, 'state', 'lock.json'), JSON.stringify(old));
  const settings = await readSettings(home.path);
  const data =
    process.getuid?.() === 0 ? `/var/lib/rubrica/stacks/${settings.id}` : join(home.path, 'postgres');
  await writeFile(join(data, 'data', 'postmaster.pid'), `${bystander.pid}\n${data}/data\n`);
  await using stack = await startStack(options);
  expect(identifyProcess(identity.pid)).toEqual(identity);
  expect(stack.info().services.intake.pid).not.toBe(identity.pid);
});

test('SIGTERM to the supervisor stops everything in order', async () => {
  await using home = await temporaryHome();
  const { child, exited } = await runStack(home.path);
  const { children } = await readRun(home.path);
  child.kill('SIGTERM');
  await exited;
  expect(child.exitCode).toBe(0);
  expect(allGone(children)).toBe(true);
  expect(await readFile(join(home.path, 'logs', 'postgres.log'), 'utf8')).toContain(
    'database system is shut down',
  );
});

const nobody = 65_534;

test('an ordinary user needs nothing outside the home', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'every other test here already runs as an ordinary user');
  skip(!othersMayRead(), 'the checkout lies in a folder that other users cannot enter');
  await using home = await temporaryHome();
  await using _ = await stackOfRoot();
  await chmod(home.root, 0o755);
  chownSync(home.path, nobody, nobody);
  const { child, info, exited } = await runStack(home.path, { uid: nobody, gid: nobody });
  await keep(info);
  expect(await kept(info)).toEqual([{ n: 7 }]);
  expect(await readFile(join(home.path, 'postgres', 'data', 'PG_VERSION'), 'utf8')).toMatch(/^\d+\n$/);
  child.kill('SIGTERM');
  await exited;
});

/** What a stack of root leaves on the machine: data in the shared folder and a home that nobody else may enter. */
async function stackOfRoot(): Promise<AsyncDisposable> {
  const home = await temporaryHome();
  await mkdir(join(home.path, 'state'), { recursive: true });
  await writeFile(join(home.path, 'state', 'settings.json'), JSON.stringify({ id: 'of-another' }));
  await chmod(home.root, 0o700);
  const data = join(sharedDirectory, 'stacks', `test-${process.pid}`);
  await mkdir(data, { recursive: true });
  await writeFile(join(data, 'home'), home.path);
  return {
    async [Symbol.asyncDispose]() {
      await rm(data, { recursive: true, force: true });
      await home[Symbol.asyncDispose]();
    },
  };
}

function othersMayRead(): boolean {
  try {
    process.seteuid?.(nobody);
    accessSync(runner, constants.R_OK);
    return true;
  } catch {
    return false;
  } finally {
    process.seteuid?.(0);
  }
}
