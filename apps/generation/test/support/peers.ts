import { type Bus, connectBus, createBusClient, createPublisher, serveRouter } from '@rubrica/bus';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { TestGround } from '@rubrica/testkit';
import {
  type FakeAdministrators,
  fakeAdministrators,
  fakeClient,
  fakeHandlers,
  serveFake,
} from '@rubrica/testkit/fakes';
import { implement, type OperatorRowsRouter, type ServiceRowsRouter } from '@rubrica/wiring';
import { type Order, signOrder } from './orders.ts';

/** A peer as generation meets it: own NATS user, own keys. */
export interface Peer extends AsyncDisposable {
  readonly bus: Bus;
  readonly streams: Bus;
  readonly keyring: Keyring;
  /** With `self`, under the name of another service. */
  serviceClient(
    caller?: Caller,
    self?: ServiceName,
  ): ReturnType<typeof createBusClient<ServiceRowsRouter<'generation'>>>;
  operatorClient(caller: Caller): ReturnType<typeof createBusClient<OperatorRowsRouter<'generation'>>>;
}

export async function connectPeer(name: ServiceName, ground: TestGround): Promise<Peer> {
  const { keyring, keys, streams: streamsAccess, ...access } = await ground.peer(name);
  const bus = await connectBus(access);
  // Its keys seal in no other name than its own: who poses as another does so in clear.
  const unsealed = await connectBus({ ...access, seals: undefined });
  const streams = await connectBus(streamsAccess);
  return {
    bus,
    streams,
    keyring,
    serviceClient: (caller, self = name) =>
      fakeClient(
        createBusClient<ServiceRowsRouter<'generation'>>,
        self === name ? bus : unsealed,
        ['rpc', 'generation'],
        {
          self,
          keys,
          caller,
        },
      ),
    operatorClient: (caller) =>
      fakeClient(createBusClient<OperatorRowsRouter<'generation'>>, bus, ['ops', 'generation'], {
        self: name,
        keys,
        caller,
      }),
    async [Symbol.asyncDispose]() {
      await bus.drain();
      await unsealed.drain();
      await streams.drain();
    },
  };
}

/** The statement of an order; undefined: as the release before answers. */
export type SignOrder = (order: Order, keyring: Keyring) => string | undefined;

/** Intake's part: answers orders by the real contract, publishes jobs. */
export interface TestIntake extends AsyncDisposable {
  readonly administrators: FakeAdministrators;
  /** Puts an order there; jobs of other requests are answered as intake answers for what it does not know. */
  place(order: Order, sign?: SignOrder): void;
  withdraw(requestId: string): void;
  asked(requestId: string): number;
  publishJob(job: { requestId: string; attempt: number }, messageId?: string): Promise<void>;
}

export async function serveIntake({ bus, streams, keyring }: Peer): Promise<TestIntake> {
  const orders = new Map<string, Order>();
  const signers = new Map<string, SignOrder>();
  const asked = new Map<string, number>();
  const administrators = fakeAdministrators(keyring);
  const intake = implement(
    'intake',
    fakeHandlers({
      calls: {
        ...administrators.calls,
        'issuance.order': (job) => {
          asked.set(job.requestId, (asked.get(job.requestId) ?? 0) + 1);
          const found = orders.get(job.requestId);
          if (found === undefined) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
          if (found.attempt !== job.attempt) throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
          const statement = signers.get(job.requestId)?.(found, keyring);
          return { ...found, ...(statement === undefined ? {} : { statement }) };
        },
      },
    }),
  );
  const served = await serveFake(serveRouter, { service: 'intake', bus, keyring }, intake);
  const { publish } = createPublisher(streams);
  return {
    administrators,
    place(wanted, sign = signOrder) {
      orders.set(wanted.requestId, wanted);
      signers.set(wanted.requestId, sign);
    },
    withdraw: (requestId) => void orders.delete(requestId),
    asked: (requestId) => asked.get(requestId) ?? 0,
    async publishJob(job, messageId = `issue:${job.requestId}:${job.attempt}`) {
      await publish({ subject: 'jobs.certificate.issue', id: messageId, data: job });
    },
    [Symbol.asyncDispose]: () => served.stop(),
  };
}
