import { type PeerOptions, type Peers as PeersOf, createPeers as peersOf } from '@rubrica/wiring';

/** The calls that the gateway may make: rows of `@rubrica/contracts/services` that name it as a caller. */
export type Peers = PeersOf<'gateway'>;

/** A partner waits for the answer, so a call that may be repeated is made once more before it fails. */
export function createPeers(deps: Pick<PeerOptions<'gateway'>, 'bus' | 'prove' | 'timeoutMs'>): Peers {
  return peersOf({ ...deps, self: 'gateway', repeats: true });
}
