import { connectBus, serveRouter } from '@rubrica/bus';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { TestGround } from '@rubrica/testkit';
import { fakeHandlers, serveFake } from '@rubrica/testkit/fakes';
import { type Implementation, implement } from '@rubrica/wiring';

type Calls<Service extends ServiceName> = Partial<Implementation<Service>['calls']>;

export interface PlayedService extends AsyncDisposable {
  /** Answers nobody while `work` runs. */
  away(work: () => Promise<void>): Promise<void>;
}

interface Default {
  readonly calls: object;
  stop(): Promise<void>;
  serve(): Promise<void>;
}

/** Parts that stand back while a test plays more of the same service. */
const defaults = new WeakMap<TestGround, Map<ServiceName, Default>>();

/** Another service's part, by the rows of the calls table and as its user on the bus; what it leaves out is as by default. */
export async function playService<Service extends ServiceName>(
  ground: TestGround,
  name: Service,
  calls: Calls<Service>,
): Promise<PlayedService> {
  const byDefault = defaults.get(ground)?.get(name);
  await byDefault?.stop();
  const played = await serveAlone(ground, name, { ...(byDefault?.calls as Calls<Service>), ...calls });
  return {
    async away(work) {
      await played.stop();
      await work();
      await played.serve();
    },
    async [Symbol.asyncDispose]() {
      await played[Symbol.asyncDispose]();
      await defaults.get(ground)?.get(name)?.serve();
    },
  };
}

/** Plays a part until the ground ends, and wherever no test plays more of that service. */
export async function playByDefault<Service extends ServiceName>(
  ground: TestGround,
  name: Service,
  calls: Calls<Service>,
): Promise<AsyncDisposable> {
  const played = await serveAlone(ground, name, calls);
  const ofGround = defaults.get(ground) ?? new Map<ServiceName, Default>();
  defaults.set(ground, ofGround.set(name, { ...played, calls }));
  return {
    async [Symbol.asyncDispose]() {
      ofGround.delete(name);
      await played[Symbol.asyncDispose]();
    },
  };
}

async function serveAlone<Service extends ServiceName>(
  ground: TestGround,
  name: Service,
  calls: Calls<Service>,
) {
  const { keyring, ...access } = await ground.peer(name);
  const bus = await connectBus(access);
  const begin = () =>
    serveFake(serveRouter, { service: name, bus, keyring }, implement(name, fakeHandlers({ calls })));
  let served: Awaited<ReturnType<typeof begin>> | undefined = await begin();
  const stop = async () => {
    await served?.stop();
    served = undefined;
  };
  return {
    stop,
    async serve() {
      served ??= await begin();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await bus.drain();
    },
  };
}
