import { type Bus, connectBus, serveRouter } from '@rubrica/bus';
import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { AppError, createCallContext, createLogger, type Keyring } from '@rubrica/process';
import { createPeers, type Peers } from '@rubrica/wiring';
import { implementPart } from '@rubrica/wiring/testing';
import type { RetentionPeer } from '../../src/retention/retention-peers.ts';
import type { RunningIntake } from './running-intake.ts';

export interface PlayedPeer extends AsyncDisposable {
  /** What intake said, in the order in which it came. */
  readonly told: retentionContract.Retained[];
  readonly items: retentionContract.PeerHoldings['items'];
  isAway: boolean;
}

/** The calls that intake makes, as the running service makes them. */
export function peersOf(bus: Bus, keyring: Keyring): Peers<'intake'> {
  return createPeers({ self: 'intake', bus, keyring, timeoutMs: 5_000 });
}

/** Generation's or the notifier's part in retention, by the rows of the calls table and as their user on the bus. */
export async function playPeer(name: RetentionPeer, { ground }: RunningIntake): Promise<PlayedPeer> {
  const { keyring, ...access } = await ground.peer(name);
  const bus = await connectBus(access);
  const played = {
    told: [] as retentionContract.Retained[],
    items: [] as PlayedPeer['items'],
    isAway: false,
  };
  const answering = () => {
    if (played.isAway) throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
  };
  const retain = ({ requests }: { requests: retentionContract.Retained[] }) => {
    answering();
    played.told.push(...requests);
    return { changed: requests.length };
  };
  const holding = ({ requestIds }: { requestIds: string[] }) => {
    answering();
    return { items: played.items.filter(({ requestId }) => requestIds.includes(requestId)) };
  };
  const { calls } =
    name === 'generation'
      ? implementPart('generation', { calls: { 'bundles.retain': retain, 'bundles.holding': holding } })
      : implementPart('notifier', { calls: { 'deliveries.retain': retain, 'deliveries.holding': holding } });
  const served = await serveRouter(bus, {
    router: calls,
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
