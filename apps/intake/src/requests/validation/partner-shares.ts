import { createOwnerCounts, ownerShare } from '@rubrica/wiring/shares';

/** Limit on what one partner has in progress at once. */
export interface PartnerShares {
  /** Reserves a slot. @returns false if the partner has its share; else `leave` releases the slot */
  enter(partnerId: string): boolean;
  leave(partnerId: string): void;
}

/** Creates the shares. @param slots returns the number of all slots; asked again at each entry */
export function createPartnerShares(slots: () => number): PartnerShares {
  const running = createOwnerCounts();
  return {
    enter(partnerId) {
      const partners = running.owners.union(new Set([partnerId])).size;
      if (running.of(partnerId) >= ownerShare(slots(), partners)) return false;
      running.add(partnerId);
      return true;
    },
    leave: running.remove,
  };
}
