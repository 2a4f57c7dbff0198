import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { locateNatsServer, startNats } from '@rubrica/testkit/nats';
import { withClient } from '@rubrica/testkit/postgres';
import { freePort } from '@rubrica/testkit/processes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, type StackInfo, type StackOptions, startStack } from '../src/index.ts';
import { projectRoot } from '../src/setup/home.ts';
import { serviceNames } from '../src/setup/services.ts';
import { StartFailure } from '../src/supervision/managed-process.ts';
import { AlreadyRunning } from '../src/supervision/run-record.ts';
import { allGone, makeFixtureApps, readRun, temporaryHome, waitFor } from './helpers.ts';

const fixtureApps = makeFixtureApps();

const runsOf = (url: string) =>
  withClient(url, async (client) =>
    Number((await client.query('select count(*) from intake.runs')).rows[0].count),
  );

async function writtenInfo(home: string): Promise<StackInfo> {
  return JSON.parse(await readFile(join(home, 'stack.json'), 'utf8')) as StackInfo;
}

describe('a running stack', () => {
  const owned = new AsyncDisposableStack();
  let home: { readonly path: string };
  let stack: Stack;
  beforeAll(async () => {
    home = owned.use(await temporaryHome());
    const options = { home: home.path, appsDirectory: fixtureApps, copies: { intake: 2 } };
    stack = owned.use(await startStack(options));
  });
  afterAll(() => owned.disposeAsync());

  test('says where everything is, in a file only its owner can read', async () => {
    const info = await writtenInfo(home.path);
    expect(info).toEqual(stack.info());
    expect((await stat(join(home.path, 'stack.json'))).mode & 0o777).toBe(0o600);
    expect(Object.keys(info.services)).toEqual(serviceNames);
    expect(await (await fetch(info.baseUrl)).text()).toBe('gateway');
    expect(await (await fetch(`${info.mailUrl}/messages`)).json()).toEqual([]);
  });

  test('is not started twice', async () => {
    const { pid } = stack.info().services.intake;
    await expect(startStack({ home: home.path, appsDirectory: fixtureApps })).rejects.toThrow(AlreadyRunning);
    expect((await writtenInfo(home.path)).services.intake.pid).toBe(pid);
  });

  test('starts a service that dies again, and stack.json names its new process', async () => {
    const before = stack.info().services.intake.pids;
    expect(before).toHaveLength(2);
    process.kill(before[1] as number, 'SIGKILL');
    const after = await waitFor(async () => {
      const { pids } = (await writtenInfo(home.path)).services.intake;
      return pids.length === 2 && pids[1] !== before[1] ? pids : undefined;
    }, 'the new pid in stack.json');
    expect(after[0]).toBe(before[0]);
    await stack.services.intake.ready();
  });

  test('has PostgreSQL and nats-server come back by themselves on their ports when they die', async () => {
    const { databaseUrl } = stack.info();
    const [postgres, nats] = [stack.postgres.pid(), stack.nats?.pid()];
    process.kill(postgres, 'SIGKILL');
    process.kill(nats as number, 'SIGKILL');
    await waitFor(
      () => (stack.postgres.pid() !== postgres && stack.nats?.pid() !== nats ? true : undefined),
      'new processes',
    );
    expect(await waitFor(() => runsOf(databaseUrl).catch(() => undefined), 'an answer of PostgreSQL')).toBe(
      1,
    );
  });

  test('leaves a server that a test has killed down until it is restarted', async () => {
    const { databaseUrl } = stack.info();
    await stack.postgres.kill();
    await expect(runsOf(databaseUrl)).rejects.toThrow('ECONNREFUSED');
    await stack.postgres.restart();
    expect(await runsOf(databaseUrl)).toBe(1);
  });
});

describe('one home, started again and again', () => {
  const owned = new AsyncDisposableStack();
  let options: StackOptions & { readonly home: string };
  let before: StackInfo;
  beforeAll(async () => {
    const home = owned.use(await temporaryHome());
    options = { home: home.path, appsDirectory: fixtureApps };
  });
  afterAll(() => owned.disposeAsync());

  test('is stopped without a trace', async () => {
    const stack = await startStack(options);
    before = stack.info();
    const { children } = await readRun(options.home);
    expect(children.map(({ name }) => name).sort()).toEqual(
      [...serviceNames, 'console', 'mail', 'nats', 'postgres'].sort(),
    );
    await stack.stop();
    expect(allGone(children)).toBe(true);
    await expect(writtenInfo(options.home)).rejects.toThrow('ENOENT');
  });

  test('keeps data and secrets at the second start, which provisions nothing again', async () => {
    const { partners, operators } = before;
    const steps: string[] = [];
    await using second = await startStack({ ...options, onProgress: ({ step }) => steps.push(step) });
    expect(second.info()).toMatchObject({ partners, operators });
    expect(await runsOf(second.info().databaseUrl)).toBe(1);
    expect(steps).toContain('services');
    expect(steps).not.toContain('provision');
  });

  test('is provisioned again when settings have changed', async () => {
    await using third = await startStack({ ...options, env: { CLAIM_WINDOW_DAYS: '7' } });
    expect(await runsOf(third.info().databaseUrl)).toBe(2);
  });
});

test('ports that are taken give way to free ones, on a path with spaces', async () => {
  await using home = await temporaryHome("a folder of Ana's, ñ");
  const port = await freePort();
  const taken = createServer().listen(port, '127.0.0.1');
  try {
    await using stack = await startStack({ home: home.path, appsDirectory: fixtureApps, port });
    const { baseUrl, mailUrl } = stack.info();
    expect(new URL(baseUrl).port).not.toBe(String(port));
    expect(new URL(mailUrl).port).toBe(String(port + 25));
    expect(await (await fetch(baseUrl)).text()).toBe('gateway');
  } finally {
    taken.close();
  }
});

test('a service that cannot start fails the stack with the end of its log, and nothing keeps running', async () => {
  await using home = await temporaryHome();
  const failing = startStack({
    home: home.path,
    appsDirectory: fixtureApps,
    env: { FAKE_FAULT: 'BASE_URL is missing' },
  });
  const [seen] = await Promise.all([
    waitFor(async () => {
      const { children } = await readRun(home.path).catch(() => ({ children: [] }));
      return children.length > 2 ? children : undefined;
    }, 'the run record'),
    expect(failing).rejects.toThrow(StartFailure),
  ]);
  await expect(failing).rejects.toThrow('BASE_URL is missing');
  expect(allGone(seen)).toBe(true);
});

test('a NATS server that someone else runs is used as it is, with the user its address names', async () => {
  await using home = await temporaryHome();
  const nats = await startNats({
    directory: join(home.root, 'nats'),
    binary: await locateNatsServer({ binDirectory: join(projectRoot, '.rubrica', 'bin') }),
    logFile: join(home.root, 'nats.log'),
  });
  try {
    const url = nats.url.replace('nats://', 'nats://shared:word@');
    await using stack = await startStack({
      home: home.path,
      appsDirectory: fixtureApps,
      env: { NATS_URL: url },
    });
    expect(stack.nats).toBeUndefined();
    expect(stack.info().natsUrl).toBe(url);
    const environment = await readFile(`/proc/${stack.info().services.terms.pid}/environ`, 'utf8');
    expect(environment.split('\0')).toEqual(
      expect.arrayContaining([
        `NATS_URL=${url}`,
        'NATS_USER=shared',
        'NATS_PASSWORD=word',
        'NATS_API_PREFIX=$JS.API',
      ]),
    );
  } finally {
    await nats.stop();
  }
});
