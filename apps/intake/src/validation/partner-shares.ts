import { shareOfOwner } from './fair-queue.ts';

/** Bound on what one partner has under way at once. */
export interface PartnerShares {
  /** @returns false where the partner has its share; else `leave` gives the place back */
  enter(partnerId: string): boolean;
  leave(partnerId: string): void;
}

/** @param places number of all places; asked again at each entry */
export function createPartnerShares(places: () => number): PartnerShares {
  const running = new Map<string, number>();
  return {
    enter(partnerId) {
      const own = running.get(partnerId) ?? 0;
      const partners = running.size + (own === 0 ? 1 : 0);
      if (own >= shareOfOwner(places(), partners)) return false;
      running.set(partnerId, own + 1);
      return true;
    },
    leave(partnerId) {
      const left = (running.get(partnerId) ?? 0) - 1;
      if (left > 0) running.set(partnerId, left);
      else running.delete(partnerId);
    },
  };
}
