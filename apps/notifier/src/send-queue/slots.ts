import type { Breaker } from './breaker.ts';
import type { Lane } from './ledger.ts';

export interface SlotLimits {
  /** In hand at once: attempts under way and those that wait for their turn. */
  readonly total: number;
  /** Attempts under way at once to one destination. */
  readonly perDestination: number;
  /** In hand at once for one destination: a few rounds, so that no attempt waits for the ledger. */
  readonly inHandPerDestination: number;
}

/** Room for what is in hand, in all, per destination and per partner, so that neither a dead destination nor a partner can take it all. */
export interface Slots {
  tryTake(lane: Lane): boolean;
  /** Takes room even where there is none left. */
  take(lane: Lane): void;
  release(lane: Lane): void;
  left(destination: string): number;
  /** Free in all. */
  free(): number;
  /** Destinations in use or at rest, with what is left for each. */
  leftByDestination(): { destination: string; left: number; resting: boolean }[];
  /** Partners with work in hand, with what is left for each. */
  leftByPartner(): { partnerId: string; left: number }[];
  /** Room for a partner without work in hand. */
  leftForNewPartner(): number;
  inUse(): number;
}

/** Most that each of so many partners may have in hand: three quarters for one alone, and never so much that the next one finds no room. */
function partnerShare(total: number, partners: number): number {
  return Math.max(1, Math.floor(total / (partners + 1 / 3)));
}

/** @param breaker allows less where a destination does not answer */
export function createSlots(
  { total, inHandPerDestination }: SlotLimits,
  breaker: Pick<Breaker, 'allowed' | 'restricted'> = freely,
): Slots {
  const destinations = createCounts();
  const partners = createCounts();
  let inUse = 0;
  const take = ({ destination, partnerId }: Lane) => {
    destinations.add(destination);
    if (partnerId !== undefined) partners.add(partnerId);
    inUse++;
  };
  const left = (destination: string) => {
    const most = Math.min(inHandPerDestination, breaker.allowed(destination));
    return Math.max(0, most - destinations.of(destination));
  };
  const leftForPartner = (partnerId: string) => {
    const used = partners.of(partnerId);
    const share = partnerShare(total, partners.size() + (used === 0 ? 1 : 0));
    return Math.max(0, share - used);
  };
  return {
    take,
    left,
    tryTake(lane) {
      if (inUse >= total || left(lane.destination) === 0) return false;
      if (lane.partnerId !== undefined && leftForPartner(lane.partnerId) === 0) return false;
      take(lane);
      return true;
    },
    release({ destination, partnerId }) {
      destinations.remove(destination);
      if (partnerId !== undefined) partners.remove(partnerId);
      inUse--;
    },
    free: () => Math.max(0, total - inUse),
    leftByDestination() {
      const resting = new Set(breaker.restricted().map(({ destination }) => destination));
      return [...new Set([...destinations.names(), ...resting])].map((destination) => ({
        destination,
        left: left(destination),
        resting: resting.has(destination),
      }));
    },
    leftByPartner: () =>
      partners.names().map((partnerId) => ({ partnerId, left: leftForPartner(partnerId) })),
    leftForNewPartner: () => partnerShare(total, partners.size() + 1),
    inUse: () => inUse,
  };
}

/** Names with what is counted of each; one without is forgotten. */
function createCounts() {
  const counts = new Map<string, number>();
  return {
    of: (name: string) => counts.get(name) ?? 0,
    names: () => [...counts.keys()],
    size: () => counts.size,
    add(name: string) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    remove(name: string) {
      const count = counts.get(name);
      if (count === undefined) throw new Error('a slot was released that was not taken');
      if (count === 1) counts.delete(name);
      else counts.set(name, count - 1);
    },
  };
}

const freely: Pick<Breaker, 'allowed' | 'restricted'> = {
  allowed: () => Number.POSITIVE_INFINITY,
  restricted: () => [],
};
