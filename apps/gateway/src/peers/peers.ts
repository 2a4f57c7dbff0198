import { type PeerOptions, type Peers as PeersOf, createPeers as peersOf } from '@rubrica/wiring';

/** Calls that the gateway may make: rows of `@rubrica/contracts/services` that name it as a caller. */
export type Peers = PeersOf<'gateway'>;

/** Creates the calls. A partner waits for the answer, so a repeatable call is retried once before it fails. */
export function createPeers(deps: Pick<PeerOptions<'gateway'>, 'bus' | 'prove' | 'timeoutMs'>): Peers {
  return peersOf({ ...deps, self: 'gateway', repeats: true });
}
