import type { Breaker } from './breaker.ts';
import type { LaneKey } from './ledger.ts';

export interface SlotLimits {
  /** Maximum leased items: attempts in progress and those that wait. */
  readonly total: number;
  /** Maximum concurrent attempts per destination. */
  readonly perDestination: number;
  /** Maximum leased items per destination: several per running attempt, so that none waits for the ledger. */
  readonly inHandPerDestination: number;
}

/**
 * Capacity for leased items, in total, per destination and per partner, so that neither an unreachable destination nor
 * one partner takes all of it.
 */
export interface Slots {
  tryTake(lane: LaneKey): boolean;
  /** Takes capacity even if none is left. */
  take(lane: LaneKey): void;
  release(lane: LaneKey): void;
  left(destination: string): number;
  /** Returns the total free capacity. */
  free(): number;
  /** Lists the destinations in use or paused, with their remaining capacity. */
  leftByDestination(): { destination: string; left: number; resting: boolean }[];
  /** Lists the partners with leased work, with their remaining capacity. */
  leftByPartner(): { partnerId: string; left: number }[];
  /** Returns the capacity for a partner without leased work. */
  leftForNewPartner(): number;
  inUse(): number;
}

/**
 * Returns the maximum for each of a number of partners: three quarters for a single one, so that the next partner
 * always finds capacity.
 */
function partnerShare(total: number, partners: number): number {
  return Math.max(1, Math.floor(total / (partners + 1 / 3)));
}

/**
 * Creates the slots.
 * @param breaker restricts destinations that do not answer
 */
export function createSlots(
  { total, inHandPerDestination }: SlotLimits,
  breaker: Pick<Breaker, 'allowed' | 'restricted'> = unrestricted,
): Slots {
  const destinations = createCounts();
  const partners = createCounts();
  let inUse = 0;
  const take = ({ destination, partnerId }: LaneKey) => {
    destinations.add(destination);
    if (partnerId !== undefined) partners.add(partnerId);
    inUse++;
  };
  const left = (destination: string) => {
    const max = Math.min(inHandPerDestination, breaker.allowed(destination));
    return Math.max(0, max - destinations.of(destination));
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

/** Creates a counter by name; names with a count of zero are dropped. */
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

const unrestricted: Pick<Breaker, 'allowed' | 'restricted'> = {
  allowed: () => Number.POSITIVE_INFINITY,
  restricted: () => [],
};
