import type { Peers } from '@rubrica/wiring';

/** Who else keeps something of requests. */
export const peerNames = ['generation', 'notifier'] as const;
export type RetentionPeer = (typeof peerNames)[number];

/** The peers that keep something of requests. */
export type RetentionPeers = Pick<Peers<'intake'>, RetentionPeer>;

/** What intake asks of each about the retention of requests, whatever their rows are called. */
export function retentionCalls({ generation, notifier }: RetentionPeers) {
  return {
    generation: { retain: generation['bundles.retain'], holding: generation['bundles.holding'] },
    notifier: { retain: notifier['deliveries.retain'], holding: notifier['deliveries.holding'] },
  } as const;
}
