import type { CountedNetwork } from '../networks/list-networks.ts';

/** Amounts that networks hold at the moment: connections, calls, bytes. */
export interface NetworkCounts {
  /**
   * The most that one of the networks holds, as if it were a single address.
   * @param more that would be added
   */
  load(networks: readonly CountedNetwork[], more?: number): number;
  /** @param amount negative where it is given back */
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
        // A network without any is forgotten, or every address that ever called would stay.
        if (now > 0) held.set(key, now);
        else held.delete(key);
      }
    },
  };
}
