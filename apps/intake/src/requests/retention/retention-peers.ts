import type { Peers } from '@rubrica/wiring';

/** Names of the other services that store something of requests. */
export const peerNames = ['generation', 'notifier'] as const;
export type RetentionPeer = (typeof peerNames)[number];

/** Peers that store something of requests. */
export type RetentionPeers = Pick<Peers<'intake'>, RetentionPeer>;

/** Returns the calls about the retention of requests, by peer, under common names. */
export function retentionCalls({ generation, notifier }: RetentionPeers) {
  return {
    generation: { retain: generation['bundles.retain'], holding: generation['bundles.holding'] },
    notifier: { retain: notifier['deliveries.retain'], holding: notifier['deliveries.holding'] },
  } as const;
}
