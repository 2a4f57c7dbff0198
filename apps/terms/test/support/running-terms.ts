import { connectBus, createBusClient } from '@rubrica/bus';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { Health } from '@rubrica/process';
import {
  type GroundOptions,
  startTestService,
  type TestDatabase,
  type TestGround,
  testGround,
} from '@rubrica/testkit';
import type { OperatorRouterOf, ServiceRouterOf } from '@rubrica/wiring';
import { callsOf } from '@rubrica/wiring/testing';
import { readConfig } from '../../src/config.ts';
import { buildService } from '../../src/service.ts';

export interface RunningTerms extends AsyncDisposable {
  readonly ground: TestGround;
  readonly database: TestDatabase;
  readonly health: Health;
  /** Runs `src/provision.ts` as a release does, with this seed file, and gives its log. */
  provision(seed: unknown): Promise<string>;
  /** Clients as the gateway has them, speaking for this caller. */
  serviceClient(caller: Caller): ReturnType<typeof createBusClient<ServiceRouterOf<'terms'>>>;
  operatorClient(caller: Caller): ReturnType<typeof createBusClient<OperatorRouterOf<'terms'>>>;
}

const provisionFile = new URL('../../src/provision.ts', import.meta.url);

/** The service on a real PostgreSQL and a real nats-server with the deployment's allow-lists. */
export async function runningTerms(options: Pick<GroundOptions, 'postgres'> = {}): Promise<RunningTerms> {
  await using owned = new AsyncDisposableStack();
  const ground = owned.use(await testGround('terms', { ...options, provisioned: { file: provisionFile } }));
  const config = readConfig(ground.env);
  const service = owned.use(await startTestService({ name: 'terms', config, build: buildService }));
  const gateway = await ground.peer('gateway');
  const bus = await connectBus(gateway);
  owned.defer(() => bus.drain());
  const self = { self: 'gateway', keyring: gateway.keyring } as const;
  const held = owned.move();
  return {
    ground,
    database: ground.service.database,
    health: service.parts.health,
    provision: (seed) => ground.provision(provisionFile, { seed, env: { LOG_LEVEL: 'warn' } }),
    serviceClient: (caller) =>
      createBusClient<ServiceRouterOf<'terms'>>(bus, callsOf('rpc', 'terms', { ...self, caller })),
    operatorClient: (caller) =>
      createBusClient<OperatorRouterOf<'terms'>>(bus, callsOf('ops', 'terms', { ...self, caller })),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
