import { connectBus, serveRouter } from '@rubrica/bus';
import * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import {
  AppError,
  type BaseContext,
  createCallContext,
  createLogger,
  createServiceTrpc,
} from '@rubrica/process';
import { type RetentionPeer, retentionPeers } from '../../src/retention/retention-peers.ts';
import type { RunningIntake } from './running-intake.ts';

export interface PlayedPeer extends AsyncDisposable {
  /** What intake said, in the order in which it came. */
  readonly told: retentionContract.Retained[];
  readonly items: retentionContract.PeerHoldings['items'];
  isAway: boolean;
}

/** Generation's or the notifier's part in retention, by the real contract and as their user on the bus. */
export async function playPeer(name: RetentionPeer, { ground }: RunningIntake): Promise<PlayedPeer> {
  const { keyring, ...access } = await ground.peer(name);
  const bus = await connectBus(access);
  const trpc = createServiceTrpc<BaseContext>();
  const played = {
    told: [] as retentionContract.Retained[],
    items: [] as PlayedPeer['items'],
    isAway: false,
  };
  const own = trpc.procedure.use(trpc.asService('intake'));
  const answering = () => {
    if (played.isAway) throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
  };
  const procedures = trpc.router({
    retain: own
      .input(retentionContract.retainInput)
      .output(retentionContract.retentionDone)
      .mutation(({ input }) => {
        answering();
        played.told.push(...input.requests);
        return { changed: input.requests.length };
      }),
    holding: own
      .input(retentionContract.holdingInput)
      .output(retentionContract.holdingOutput)
      .query(({ input }) => {
        answering();
        return { items: played.items.filter(({ requestId }) => input.requestIds.includes(requestId)) };
      }),
  });
  const served = await serveRouter(bus, {
    router: trpc.router({ [retentionPeers[name]]: procedures }),
    subjectPrefix: `rpc.v1.${name}`,
    queue: name,
    createContext: createCallContext(
      keyring,
      createLogger({ service: name, level: 'silent', format: 'json' }),
    ),
  });
  return Object.assign(played, {
    async [Symbol.asyncDispose]() {
      await served.stop();
      await bus.drain();
    },
  });
}
