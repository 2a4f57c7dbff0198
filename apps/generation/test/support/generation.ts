import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectBus, ensureConsumers, ensureStreams } from '@rubrica/bus';
import { consumers, streams } from '@rubrica/contracts/messages/messages';
import { createHealth, createLogger, createMetrics, createRunner } from '@rubrica/process';
import {
  scratchDirectory,
  type TestDatabase,
  type TestNats,
  type TestPostgres,
  testNats,
  testPostgres,
} from '@rubrica/testkit';
import { readConfig } from '../../src/config.ts';
import { buildService } from '../../src/service.ts';
import { type KeyFiles, writeKeyFiles } from './key-files.ts';
import { natsUsers } from './nats-users.ts';
import { connectPeer, type Peer, serveIntake, type TestIntake } from './peers.ts';

export interface Generation extends AsyncDisposable {
  readonly postgres: TestPostgres;
  readonly nats: TestNats;
  readonly database: TestDatabase;
  readonly keyFiles: KeyFiles;
  readonly env: Readonly<Record<string, string>>;
  readonly authorityDirectory: string;
  readonly intakePeer: Peer;
  readonly intake: TestIntake;
  provision(overrides?: Record<string, string>): Promise<void>;
  /** The service in this process. */
  start(overrides?: Record<string, string>): Promise<{ stop(): Promise<void>; metrics(): Promise<string> }>;
  /** The service as a process of its own. */
  spawn(overrides?: Record<string, string>): Spawned;
  arm(crashPoint: string): Promise<void>;
}

export interface Spawned extends AsyncDisposable {
  /** Exit code and signal. */
  readonly exited: Promise<[number | null, string | null]>;
  stop(): Promise<void>;
}

const source = join(import.meta.dirname, '../../src');

/** The service's surroundings: real PostgreSQL, real nats-server with the allow-lists of `deploy/nats`, an intake. */
export async function generation(): Promise<Generation> {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await scratchDirectory('generation'));
  const postgres = stack.use(await testPostgres());
  const nats = stack.use(await testNats({ extraConfig: await natsUsers() }));
  const { database, appUrl, ownerUrl } = await postgres.service('generation');
  const keyFiles = await writeKeyFiles(scratch.path);
  const crashpoints = join(scratch.path, 'crashpoints');
  await mkdir(crashpoints);
  const env = {
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    MANAGEMENT_PORT: '0',
    SANDBOX: 'true',
    NATS_URL: nats.url,
    NATS_USER: 'generation',
    NATS_PASSWORD: 'generation',
    DATABASE_URL: appUrl,
    KEYS_FILE: keyFiles.keysFile('generation'),
    PEERS_FILE: keyFiles.peersFile,
    BASE_URL: 'http://127.0.0.1:3000',
    CA_DIRECTORY: join(scratch.path, 'ca'),
    KEY_POOL_SIZE: '2',
    ISSUANCE_LEASE_SECONDS: '2',
    CRL_CHECK_SECONDS: '1',
    CRL_LEASE_SECONDS: '2',
    STATUS_MAX_AGE_SECONDS: '2',
    CRASHPOINT_DIR: crashpoints,
  };
  const provision = async (overrides: Record<string, string> = {}) => {
    await promisify(execFile)(process.execPath, [join(source, 'provision.ts')], {
      env: {
        ...env,
        DATABASE_OWNER_URL: ownerUrl,
        NATS_PROVISION_USER: 'provision',
        NATS_PROVISION_PASSWORD: 'provision',
        CA_KEY_ALGORITHM: 'RSA_2048',
        ...overrides,
      },
    });
  };
  await provideStreams(nats.url);
  await provision();
  const intakePeer = stack.use(await connectPeer('intake', nats.url, keyFiles));
  const intake = await serveIntake(intakePeer);
  const owned = stack.move();
  return {
    postgres,
    nats,
    database,
    keyFiles,
    env,
    authorityDirectory: env.CA_DIRECTORY,
    intakePeer,
    intake,
    provision,
    start: (overrides) => startInProcess({ ...env, ...overrides }),
    spawn: (overrides) => spawnService({ ...env, ...overrides }),
    arm: (crashPoint) => writeFile(join(crashpoints, crashPoint), ''),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Streams that other services provide. */
async function provideStreams(url: string): Promise<void> {
  const bus = await connectBus({ servers: url, name: 'provision', user: 'provision', password: 'provision' });
  await ensureStreams(
    bus,
    streams.filter(({ name }) => name === 'EVENTS' || name === 'DLQ'),
  );
  await ensureConsumers(bus, [consumers.certificateEvents]);
  await bus.close();
}

async function startInProcess(env: Record<string, string>) {
  const config = readConfig(env);
  const logger = createLogger({ service: 'generation', ...config.log });
  const runner = createRunner({ logger, stopTimeoutMs: 20_000 });
  const health = createHealth({ isReady: runner.isReady });
  const metrics = createMetrics({ service: 'generation' });
  const service = await buildService(config, { logger, runner, health, metrics });
  await service?.start?.();
  runner.markReady();
  return {
    metrics: () => metrics.text(),
    async stop() {
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
