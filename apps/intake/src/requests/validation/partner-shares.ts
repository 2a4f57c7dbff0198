import { createOwnerCounts, shareOfOwner } from '@rubrica/wiring/shares';

/** Bound on what one partner has under way at once. */
export interface PartnerShares {
  /** @returns false where the partner has its share; else `leave` gives the place back */
  enter(partnerId: string): boolean;
  leave(partnerId: string): void;
}

/** @param places number of all places; asked again at each entry */
export function createPartnerShares(places: () => number): PartnerShares {
  const running = createOwnerCounts();
  return {
    enter(partnerId) {
      const partners = running.owners.union(new Set([partnerId])).size;
      if (running.of(partnerId) >= shareOfOwner(places(), partners)) return false;
      running.add(partnerId);
      return true;
    },
    leave: running.remove,
  };
}
