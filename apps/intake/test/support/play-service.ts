import { connectBus } from '@rubrica/bus';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { TestGround } from '@rubrica/testkit';
import { implementPart, servePart } from '@rubrica/wiring/testing';

type Calls<Service extends ServiceName> = Parameters<typeof implementPart<Service>>[1]['calls'];

export interface PlayedService extends AsyncDisposable {
  /** Answers nobody while `work` runs. */
  away(work: () => Promise<void>): Promise<void>;
}

/** Another service's part, by the rows of the calls table and as its user on the bus. */
export async function playService<Service extends ServiceName>(
  ground: TestGround,
  name: Service,
  calls: NonNullable<Calls<Service>>,
): Promise<PlayedService> {
  const { keyring, ...access } = await ground.peer(name);
  const bus = await connectBus(access);
  const serve = () => servePart({ service: name, bus, keyring }, implementPart(name, { calls }));
  let served = await serve();
  return {
    async away(work) {
      await served.stop();
      await work();
      served = await serve();
    },
    async [Symbol.asyncDispose]() {
      await served.stop();
      await bus.drain();
    },
  };
}
