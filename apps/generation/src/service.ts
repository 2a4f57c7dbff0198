import { availableParallelism } from 'node:os';
import { type Bus, createPublisher, serveRouter } from '@rubrica/bus';
import {
  createRelay,
  createRelayMetrics,
  createSweeper,
  type Database,
  purgeOutbox,
} from '@rubrica/database';
import {
  type BuiltService,
  createCallContext,
  createCallMetrics,
  loadKeyring,
  type ServiceParts,
  systemClock,
  uuidv7,
} from '@rubrica/service';
import type { GenerationConfig } from './config.ts';
import { consumeJobs } from './consume-jobs.ts';
import type { GenerationDeps } from './context.ts';
import { createIntakeClient } from './intake-client.ts';
import { createIssuanceLedger } from './issue-certificate/issuance-ledger.ts';
import { throwAwaySigner } from './issue-certificate/rehearse.ts';
import { createRunIssuance } from './issue-certificate/run-issuance.ts';
import { publicationOf } from './issuers/publication.ts';
import { createKeyPool, type KeyPool } from './key-pool/key-pool.ts';
import { createKeyPoolMetrics } from './key-pool/key-pool-metrics.ts';
import { makeHolderKey } from './key-pool/make-key.ts';
import { openBus, openDatabase, openIssuers } from './open-connections.ts';
import { purgeBundles } from './release-bundle/purge-bundles.ts';
import { operatorRouter, serviceRouter } from './router.ts';
import { noFaults, sandboxFaults } from './sandbox/generation-faults.ts';

const intakeTimeoutMs = 5_000;

/** Wires the service. What is owned first is stopped last: calls, jobs, keys, relay, bus, database. */
export async function buildService(config: GenerationConfig, parts: ServiceParts): Promise<BuiltService> {
  const keyring = await loadKeyring(config.keys, 'generation');
  const issuers = await openIssuers(config, keyring);
  const database = openDatabase(config, parts);
  const bus = await openBus(config, parts);
  const deps: GenerationDeps = { database, keyring, issuers, clock: systemClock };
  return {
    async start() {
      startRelayAndSweeper(config, { bus, database }, parts);
      const keyPool = startKeyPool(config, parts);
      startJobs(config, { deps, bus, keyPool }, parts);
      await serveCalls(bus, deps, parts);
    },
  };
}

function startRelayAndSweeper(
  config: GenerationConfig,
  { bus, database }: { bus: Bus; database: Database },
  { logger, metrics, runner }: ServiceParts,
): void {
  const { publish } = createPublisher(bus);
  const relay = createRelay({
    databaseUrl: config.database.url,
    database,
    publish: (message) => publish({ ...message, data: message.data as object }),
    logger,
    metrics: createRelayMetrics(metrics),
  });
  runner.own('relay', relay.stop);
  relay.start();
  const sweeper = createSweeper({
    database,
    tasks: [purgeBundles, purgeOutbox()],
    logger,
    intervalMs: config.work.sweepSeconds * 1_000,
  });
  runner.own('sweeper', sweeper.stop);
  sweeper.start();
}

function startKeyPool({ holderKeys }: GenerationConfig, { logger, metrics, runner }: ServiceParts): KeyPool {
  const keyPool = createKeyPool({
    size: holderKeys.poolSize,
    parallel: availableParallelism(),
    make: () => makeHolderKey(holderKeys.algorithm),
    metrics: createKeyPoolMetrics(metrics),
    onFault: (err) => logger.error({ err }, 'a key could not be made ahead'),
  });
  runner.own('key pool', keyPool.stop);
  keyPool.start();
  return keyPool;
}

function startJobs(
  config: GenerationConfig,
  { deps, bus, keyPool }: { deps: GenerationDeps; bus: Bus; keyPool: KeyPool },
  { logger, runner }: ServiceParts,
): void {
  const issuer = deps.issuers.active;
  const { profile, work, holderKeys } = config;
  const run = createRunIssuance({
    ...deps,
    logger,
    keyPool,
    intake: createIntakeClient({ bus, keyring: deps.keyring, timeoutMs: intakeTimeoutMs }),
    ledger: createIssuanceLedger(deps.database),
    newId: uuidv7,
    authoring: {
      issuer,
      publication: publicationOf(config, issuer.name),
      rucPrefix: profile.rucPrefix,
      keyAlgorithm: holderKeys.algorithm,
      throwAway: throwAwaySigner(issuer),
    },
    faults: config.sandbox ? sandboxFaults : noFaults,
    rules: { ...work, timeZone: config.timeZone, subjectEmail: profile.subjectEmail },
  });
  const consuming = consumeJobs({ bus, slots: work.slots, logger, run });
  runner.own('certificate jobs', consuming.stop);
}

async function serveCalls(bus: Bus, deps: GenerationDeps, parts: ServiceParts): Promise<void> {
  const callContext = createCallContext(deps.keyring, parts.logger, createCallMetrics(parts.metrics));
  const served = {
    queue: 'generation',
    createContext: async (call: Parameters<typeof callContext>[0]) => ({
      ...(await callContext(call)),
      ...deps,
    }),
  };
  const peers = await serveRouter(bus, {
    ...served,
    router: serviceRouter,
    subjectPrefix: 'rpc.v1.generation',
  });
  parts.runner.own('service router', () => peers.stop());
  const people = await serveRouter(bus, {
    ...served,
    router: operatorRouter,
    subjectPrefix: 'ops.v1.generation',
  });
  parts.runner.own('operator router', () => people.stop());
}
