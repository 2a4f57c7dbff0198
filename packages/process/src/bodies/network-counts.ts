import type { CountedNetwork } from '../networks/list-networks.ts';

/** Amounts that networks hold at present: connections, calls, bytes. */
export interface NetworkCounts {
  /**
   * Calculates the largest amount of one of the networks, scaled to a single address.
   * @param more amount to add first
   */
  load(networks: readonly CountedNetwork[], more?: number): number;
  /** @param amount negative for a release */
  add(networks: readonly CountedNetwork[], amount: number): void;
}

export function createNetworkCounts(): NetworkCounts {
  const held = new Map<string, number>();
  return {
    load: (networks, more = 0) =>
      Math.max(...networks.map(({ key, share }) => ((held.get(key) ?? 0) + more) / share)),
    add(networks, amount) {
      for (const { key } of networks) {
        const now = (held.get(key) ?? 0) + amount;
        // A network without an amount is removed; otherwise every address that ever called would stay.
        if (now > 0) held.set(key, now);
        else held.delete(key);
      }
    },
  };
}
