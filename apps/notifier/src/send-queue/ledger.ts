/** Lane in which capacity is counted: by destination, and by partner where partners share the queue. */
export interface LaneKey {
  readonly destination: string;
  readonly partnerId?: string | undefined;
}

/** Item to be sent. */
export interface QueueItem extends LaneKey {
  readonly id: string;
  readonly fence: number;
}

export interface LeaseRequest {
  readonly limit: number;
  readonly perDestination: number;
  /** Destinations in use, which get at most their remaining capacity. */
  readonly left: readonly { destination: string; left: number }[];
  readonly perPartner: number;
  /** Partners with leased work, which get at most their remaining capacity. */
  readonly partners: readonly { partnerId: string; left: number }[];
  readonly leaseMs: number;
}

/** Converts a request to the parameters that the lease statements share. */
export function toLeaseParams({ limit, left, perPartner, partners, leaseMs }: LeaseRequest) {
  return {
    busy: left.map(({ destination }) => destination),
    rooms: left.map((entry) => entry.left),
    perPartner,
    taking: partners.map(({ partnerId }) => partnerId),
    partnerRooms: partners.map((entry) => entry.left),
    limit,
    leaseSeconds: leaseMs / 1_000,
  };
}

/** Store of the schedule. The process holds only leased items, whose leases end. */
export interface Ledger<Item, Record> {
  leaseDue(request: LeaseRequest): Promise<Item[]>;
  /**
   * Records attempts.
   * @returns for each record whether the lease still belonged to this worker
   */
  record(records: readonly Record[]): Promise<boolean[]>;
  /** Ends the leases of items that will not be attempted. */
  release(items: readonly Item[]): Promise<void>;
}
