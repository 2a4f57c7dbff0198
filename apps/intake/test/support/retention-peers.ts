import type { Bus } from '@rubrica/bus';
import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { AppError } from '@rubrica/process/errors';
import { createPeers, type Peers } from '@rubrica/wiring';
import type { RetentionPeer } from '../../src/requests/retention/retention-peers.ts';
import { playService } from './play-service.ts';
import type { RunningIntake } from './running-intake.ts';

export interface PlayedPeer extends AsyncDisposable {
  /** What intake said, in the order in which it came. */
  readonly told: retentionContract.RetentionInstruction[];
  readonly items: retentionContract.PeerHoldings['items'];
  isAway: boolean;
}

/** The calls that intake makes, as the running service makes them. */
export function peersOf(bus: Bus): Peers<'intake'> {
  return createPeers({ self: 'intake', bus, timeoutMs: 5_000 });
}

/** Generation's or the notifier's part in retention, by the rows of the calls table and as their user on the bus. */
export async function playPeer(name: RetentionPeer, { ground }: RunningIntake): Promise<PlayedPeer> {
  const played = {
    told: [] as retentionContract.RetentionInstruction[],
    items: [] as PlayedPeer['items'],
    isAway: false,
  };
  const answering = () => {
    if (played.isAway) throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
  };
  const retain = ({ requests }: { requests: retentionContract.RetentionInstruction[] }) => {
    answering();
    played.told.push(...requests);
    return { changed: requests.length };
  };
  const holding = ({ requestIds }: { requestIds: string[] }) => {
    answering();
    return { items: played.items.filter(({ requestId }) => requestIds.includes(requestId)) };
  };
  const service =
    name === 'generation'
      ? await playService(ground, name, { 'bundles.retain': retain, 'bundles.holding': holding })
      : await playService(ground, name, { 'deliveries.retain': retain, 'deliveries.holding': holding });
  return Object.assign(played, service);
}
