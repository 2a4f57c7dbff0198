import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectBus, ensureConsumers, ensureStreams } from '@rubrica/bus';
import { consumers, streams } from '@rubrica/contracts/messages/messages';
import { createLogger } from '@rubrica/process/log';
import { createHealth } from '@rubrica/process/management';
import { createMetrics } from '@rubrica/process/metrics';
import { createRunner } from '@rubrica/process/runner';
import { createMeasuredClock } from '@rubrica/process/time';
import { type TestDatabase, type TestGround, testGround } from '@rubrica/testkit';
import { readConfig } from '../../src/config.ts';
import { buildService } from '../../src/service.ts';
import { connectPeer, type Peer, serveIntake, type TestIntake } from './peers.ts';

export interface Generation extends AsyncDisposable {
  readonly ground: TestGround;
  readonly database: TestDatabase;
  readonly env: Readonly<Record<string, string>>;
  readonly authorityDirectory: string;
  readonly intakePeer: Peer;
  readonly intake: TestIntake;
  provision(overrides?: Record<string, string>): Promise<string>;
  /** The service in this process. */
  start(overrides?: Record<string, string>): Promise<RunningService>;
  /** The service as a process of its own. */
  spawn(overrides?: Record<string, string>): Spawned;
  arm(crashPoint: string): Promise<void>;
}

/** Disposing of it fails where it does not stop cleanly. */
export interface RunningService extends AsyncDisposable {
  metrics(): Promise<string>;
}

export interface Spawned extends AsyncDisposable {
  /** Exit code and signal. */
  readonly exited: Promise<[number | null, string | null]>;
  stop(): Promise<void>;
}

const source = join(import.meta.dirname, '../../src');

const settings = {
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  KEY_POOL_SIZE: '2',
  ISSUANCE_LEASE_SECONDS: '2',
  CRL_CHECK_SECONDS: '1',
  CRL_LEASE_SECONDS: '2',
  STATUS_MAX_AGE_SECONDS: '2',
};

/** The service's surroundings: real PostgreSQL, real nats-server with the allow-lists of `deploy/nats`, an intake. */
export async function generation(): Promise<Generation> {
  await using stack = new AsyncDisposableStack();
  const main = new URL('../../src/main.ts', import.meta.url);
  const provisioned = { main, env: { CA_KEY_ALGORITHM: 'RSA_2048' } };
  const ground = stack.use(await testGround('generation', { env: settings, provisioned }));
  await provideStreams({ ...ground.observer, name: 'observer' });
  const intakePeer = stack.use(await connectPeer('intake', ground));
  const intake = stack.use(await serveIntake(intakePeer));
  const { env } = ground;
  const owned = stack.move();
  return {
    ground,
    database: ground.service.database,
    env,
    authorityDirectory: env.CA_DIRECTORY ?? '',
    intakePeer,
    intake,
    provision: (overrides) => ground.provision(main, { env: { ...provisioned.env, ...overrides } }),
    start: (overrides) => startInProcess({ ...env, ...overrides }),
    spawn: (overrides) => spawnService({ ...env, ...overrides }),
    arm: (crashPoint) => writeFile(join(env.CRASHPOINT_DIR ?? '', crashPoint), ''),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Streams that other services provide. */
async function provideStreams(access: Parameters<typeof connectBus>[0]): Promise<void> {
  await using bus = await connectBus(access);
  await ensureStreams(
    bus,
    streams.filter(({ name }) => name === 'EVENTS' || name === 'DLQ'),
  );
  await ensureConsumers(bus, [consumers.certificateEvents]);
}

async function startInProcess(env: Record<string, string>): Promise<RunningService> {
  const config = readConfig(env);
  const logger = createLogger({ service: 'generation', ...config.log });
  const runner = createRunner({ logger, stopTimeoutMs: 20_000 });
  const health = createHealth({ isReady: runner.isReady });
  const metrics = createMetrics({ service: 'generation' });
  const service = await buildService(config, {
    logger,
    runner,
    health,
    metrics,
    clock: createMeasuredClock({ logger }),
  });
  await service?.start?.();
  runner.markReady();
  return {
    metrics: () => metrics.text(),
    async [Symbol.asyncDispose]() {
      const { faults } = await runner.stop('end of test');
      if (faults.length > 0) throw new Error(`not stopped cleanly: ${JSON.stringify(faults)}`);
    },
  };
}

function spawnService(env: Record<string, string>): Spawned {
  const child = spawn(process.execPath, [join(source, 'main.ts')], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { exited, stop, [Symbol.asyncDispose]: stop };
}
