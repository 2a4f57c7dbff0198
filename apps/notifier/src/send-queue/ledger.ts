/** Room is counted per destination, and per partner where partners share the queue. */
export interface Lane {
  readonly destination: string;
  readonly partnerId?: string | undefined;
}

/** Something to be sent. */
export interface Work extends Lane {
  readonly id: string;
  readonly fence: number;
}

export interface LeaseRequest {
  readonly limit: number;
  readonly perDestination: number;
  /** Destinations in use, which get no more than what is left for them. */
  readonly left: readonly { destination: string; left: number }[];
  readonly perPartner: number;
  /** Partners with work in hand, which get no more than what is left for them. */
  readonly partners: readonly { partnerId: string; left: number }[];
  readonly leaseMs: number;
}

/** Converts a request to the parameters that the statements of leases share. */
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

/** Where the schedule lives. The process holds nothing but what is in hand, whose leases end. */
export interface Ledger<Item, Record> {
  leaseDue(request: LeaseRequest): Promise<Item[]>;
  /** @returns per record whether the item was still this worker's */
  record(records: readonly Record[]): Promise<boolean[]>;
  /** Ends the leases of what was leased and will not be attempted. */
  release(items: readonly Item[]): Promise<void>;
}
