import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { acquireDatabases, makePng, scratchDirectory, testNats, writeServiceKeys } from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeProgram } from '../src/requests/file-checks/checker/checker-program.ts';
import { findIsolation, type Isolation, isWorking } from '../src/requests/file-checks/checker/isolation.ts';
import { startChecker } from '../src/requests/file-checks/checker/start-checker.ts';
import { fileLimits } from '../src/requests/file-checks/limits.ts';
import { type Attack, runAttack } from './support/isolation-attacks.ts';

const run = promisify(execFile);
const settings = { timeoutMs: 120_000, memoryBytes: 768 * 1024 * 1024 };
const limits = fileLimits({ maxMegapixels: 50, maxSidePixels: 12_000, maxPages: 100 });

/** In place of the checker's own program, with leave to read the attacks beside it. */
const probe = describeProgram(fileURLToPath(new URL('support/isolation-probe.ts', import.meta.url)));
const support = fileURLToPath(new URL('support', import.meta.url));
const program = { ...probe, readablePaths: [...probe.readablePaths, support] };

interface Scene {
  readonly natsPort: number;
  readonly postgresPort: number;
  readonly abstractSocket: string;
  readonly fileSocket: string;
  readonly keysFile: string;
  readonly folder: string;
}

/** Attacks by Node's own modules, the first five on the network. */
const networkAttacks: Readonly<Record<string, (scene: Scene) => Attack>> = {
  'connect to nats-server': ({ natsPort: port }) => ({ kind: 'connect', to: { port } }),
  'connect to PostgreSQL': ({ postgresPort: port }) => ({ kind: 'connect', to: { port } }),
  'connect to an abstract socket': ({ abstractSocket: path }) => ({ kind: 'connect', to: { path } }),
  'connect to a socket file': ({ fileSocket: path }) => ({ kind: 'connect', to: { path } }),
  'connect to nats-server natively': ({ natsPort: port }) => ({ kind: 'native connect', port }),
  'connect to PostgreSQL natively': ({ postgresPort: port }) => ({ kind: 'native connect', port }),
  'resolve a name': () => ({ kind: 'resolve', host: 'localhost' }),
};
const nodeAttacks: Readonly<Record<string, (scene: Scene) => Attack>> = {
  "read intake's keys": ({ keysFile: path }) => ({ kind: 'read', path }),
  "read intake's environment": () => ({ kind: 'read', path: `/proc/${process.pid}/environ` }),
  'read the accounts of the machine': () => ({ kind: 'read', path: '/etc/passwd' }),
  'write a file': ({ folder }) => ({ kind: 'write', path: join(folder, 'written') }),
  'start a process': () => ({ kind: 'start' }),
};
const nativeAttacks: Readonly<Record<string, (scene: Scene) => Attack>> = {
  "read intake's keys natively": ({ keysFile: path }) => ({ kind: 'native read', path }),
  "read intake's environment natively": () => ({ kind: 'native read', path: `/proc/${process.pid}/environ` }),
  "read intake's memory map natively": () => ({ kind: 'native read', path: `/proc/${process.pid}/maps` }),
  'write a file natively': ({ folder }) => ({ kind: 'native write', path: join(folder, 'written') }),
  'start a shell natively': () => ({ kind: 'native start' }),
  'signal intake natively': () => ({ kind: 'native signal', pid: process.pid }),
};
const everyAttack = { ...networkAttacks, ...nodeAttacks, ...nativeAttacks };

await using resources = new AsyncDisposableStack();
const scene = await prepareScene(resources);
const owned = resources.move();
afterAll(() => owned.disposeAsync());

async function prepareScene(stack: AsyncDisposableStack): Promise<Scene> {
  const nats = stack.use(await testNats());
  const databases = stack.use(await acquireDatabases());
  const folder = stack.use(await scratchDirectory('isolation')).path;
  const { keysFile } = await writeServiceKeys(folder);
  const [abstractSocket, fileSocket] = [`\0rubrica-isolation-${process.pid}`, join(folder, 'socket')];
  for (const path of [abstractSocket, fileSocket]) {
    const server = createServer((socket) => socket.destroy());
    await once(server.listen(path), 'listening');
    stack.defer(() => void server.close());
  }
  return {
    natsPort: nats.port,
    postgresPort: databases.port,
    abstractSocket,
    fileSocket,
    keysFile: keysFile.intake,
    folder,
  };
}

async function startProbe(isolation: Isolation) {
  const checker = await startChecker({ ...settings, isolation }, program);
  return {
    async run(attack: Attack): Promise<string> {
      const answer = await checker.check({ file: Buffer.from(JSON.stringify(attack)), limits });
      return 'text' in answer ? String(answer.text.facts?.outcome) : answer.kind;
    },
    [Symbol.asyncDispose]: () => checker.kill(),
  };
}

describe('intake itself, so that the attacks are known to work', () => {
  it.each(Object.entries(everyAttack))('can %s', async (_, attack) => {
    expect(await runAttack(attack(scene))).toMatch(/^done: ./);
  });
});

const means = ['bwrap', 'unshare'] as const;
const working = new Map(await Promise.all(means.map(async (one) => [one, await isWorking(one)] as const)));

describe.each(means)('a checker isolated by %s', (isolation) => {
  const test = it.skipIf(!working.get(isolation));
  let checker: Awaited<ReturnType<typeof startProbe>>;
  beforeAll(async () => {
    if (working.get(isolation)) checker = await startProbe(isolation);
    return () => checker?.[Symbol.asyncDispose]();
  });

  test.each(Object.entries(everyAttack))('cannot %s', async (_, attack) => {
    expect(await checker.run(attack(scene))).toMatch(/^refused: (E[A-Z_]+|status \d+)$/);
  });

  test('has no secret in its environment, and no other variable', async () => {
    expect(await checker.run({ kind: 'environment' })).toMatch(/^done: (OLDPWD,)?(PWD)?$/);
  });

  test('checks files as any other', async () => {
    const real = await startChecker({ ...settings, isolation });
    expect(await real.check({ file: makePng(40_000), limits })).toEqual({ kind: 'ok' });
    await real.kill();
  });
});

describe('a checker that nothing isolates', () => {
  it.each(Object.entries(nodeAttacks))('cannot %s', async (_, attack) => {
    await using checker = await startProbe('none');
    expect(await checker.run(attack(scene))).toMatch(/^refused: (E[A-Z_]+|status \d+)$/);
  });
});

it('finds the means of this machine, or says that there is none', async () => {
  const first = means.find((isolation) => working.get(isolation));
  expect(await findIsolation()).toBe(first ?? 'none');
});

describe('a machine that allows no namespaces', () => {
  /** As such a machine: within a namespace that may have none below it. */
  async function runConfined(code: string): Promise<string> {
    const confined = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"';
    const node = [process.execPath, '--input-type=module', '-e', code];
    const unshare = ['unshare', '--user', '--map-root-user', 'sh', '-c', confined, 'sh'];
    const [file = '', ...args] = working.get('unshare') ? [...unshare, ...node] : node;
    return (await run(file, args)).stdout;
  }
  const source = (path: string) => JSON.stringify(new URL(`../src/requests/${path}`, import.meta.url).href);

  it('is told of in log and metric and by the doctor, and checks files all the same', async () => {
    const stdout = await runConfined(`
      import { createMetrics } from '@rubrica/process/metrics';
      import { readFileSync } from 'node:fs';
      const { connectFiles } = await import(${source('validation/connect-files.ts')});
      const { fileCheckerChecks } = await import(${source('file-checks/file-checker-checks.ts')});
      const warnings = [];
      const metrics = createMetrics({ service: 'intake' });
      const logger = { warn: (_, message) => warnings.push(message), error: () => undefined, info: () => undefined };
      const stops = [];
      const files = { checkers: 1, timeoutSeconds: 60, memoryMebibytes: 768, maxMegapixels: 50, maxSidePixels: 9000, maxPages: 9 };
      const runner = { own: (_, stop) => stops.push(stop) };
      const { fileChecker } = await connectFiles({ files }, { logger, metrics, runner });
      const file = Buffer.from(${JSON.stringify(makePng().toString('base64'))}, 'base64');
      const verdict = await fileChecker.check(async () => file, {
        sizeBytes: file.length, owner: 'acme', budget: { spend: () => undefined } });
      const doctor = await fileCheckerChecks({})[0].look().catch((error) => error.message);
      await stops[0]();
      const gauge = /^rubrica_file_checker_isolated.*$/m.exec(await metrics.text())?.[0].split(' ')[1];
      console.log(JSON.stringify({ warnings, verdict, doctor, gauge, isIsolated: fileChecker.isIsolated }));`);
    const text = 'files are checked without network isolation';
    expect(JSON.parse(stdout)).toEqual({
      warnings: [text],
      verdict: { kind: 'ok' },
      doctor: text,
      gauge: '0',
      isIsolated: false,
    });
  });
});
