import { connectBus, createBusClient, serveRouter } from '@rubrica/bus';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { Health } from '@rubrica/process/management';
import {
  type GroundOptions,
  startTestService,
  type TestDatabase,
  type TestGround,
  testGround,
} from '@rubrica/testkit';
import {
  type FakeAdministrators,
  fakeAdministrators,
  fakeClient,
  fakeHandlers,
  serveFake,
} from '@rubrica/testkit/fakes';
import { implement, type OperatorRowsRouter, type ServiceRowsRouter } from '@rubrica/wiring';
import { readConfig } from '../../src/config.ts';
import { buildService } from '../../src/service.ts';
import { operator, secondAdministrator } from './callers.ts';

export interface RunningTerms extends AsyncDisposable {
  readonly ground: TestGround;
  readonly database: TestDatabase;
  readonly health: Health;
  /** As intake knows them: two at first. */
  readonly administrators: FakeAdministrators;
  /** Stops intake's answers for good. */
  stopIntake(): Promise<void>;
  /** Two administrators activate a version. */
  activate(id: string, reason?: string): Promise<unknown>;
  /** Runs the command `provision` as a release does, with this seed file, and returns its log. */
  provision(seed: unknown): Promise<string>;
  /** Clients as the gateway has them, speaking for this caller. */
  serviceClient(caller: Caller): ReturnType<typeof createBusClient<ServiceRowsRouter<'terms'>>>;
  operatorClient(caller: Caller): ReturnType<typeof createBusClient<OperatorRowsRouter<'terms'>>>;
}

const main = new URL('../../src/main.ts', import.meta.url);

/** The service on a real PostgreSQL and a real nats-server with the deployment's allow-lists. */
export async function runningTerms(options: Pick<GroundOptions, 'postgres'> = {}): Promise<RunningTerms> {
  await using owned = new AsyncDisposableStack();
  const ground = owned.use(await testGround('terms', { ...options, provisioned: { main } }));
  const config = readConfig(ground.env);
  const service = owned.use(await startTestService({ name: 'terms', config, build: buildService }));
  const gateway = await ground.peer('gateway');
  const bus = owned.use(await connectBus(gateway));
  const intake = await ground.peer('intake');
  const intakeBus = owned.use(await connectBus(intake));
  const administrators = fakeAdministrators(intake.keyring);
  const played = await serveFake(
    serveRouter,
    { service: 'intake', bus: intakeBus, keyring: intake.keyring },
    implement('intake', fakeHandlers({ calls: administrators.calls })),
  );
  const self = { self: 'gateway', keys: gateway.keys } as const;
  const operatorClient = (caller: Caller) =>
    fakeClient(createBusClient<OperatorRowsRouter<'terms'>>, bus, ['ops', 'terms'], { ...self, caller });
  const held = owned.move();
  return {
    ground,
    database: ground.service.database,
    health: service.parts.health,
    provision: (seed) => ground.provision(main, { seed, env: { LOG_LEVEL: 'warn' } }),
    serviceClient: (caller) =>
      fakeClient(createBusClient<ServiceRowsRouter<'terms'>>, bus, ['rpc', 'terms'], { ...self, caller }),
    operatorClient,
    administrators,
    stopIntake: () => played.stop(),
    async activate(id, reason) {
      const input = { id, ...(reason !== undefined && { reason }) };
      const answer = await operatorClient(operator('admin')).terms.activate.mutate(input);
      if (answer.approvalId === undefined) return answer;
      const { approvals } = operatorClient(secondAdministrator);
      return (await approvals.approve.mutate({ id: answer.approvalId })).result;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
