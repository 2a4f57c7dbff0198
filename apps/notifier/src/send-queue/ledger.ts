/** Something to be sent. Room is counted per destination. */
export interface Work {
  readonly id: string;
  readonly destination: string;
  readonly fence: number;
}

export interface LeaseRequest {
  readonly limit: number;
  readonly perDestination: number;
  /** Destinations in use, which get no more than what is left for them. */
  readonly left: readonly { destination: string; left: number }[];
  readonly leaseMs: number;
}

/** Where the schedule lives. The process holds nothing but what is in hand, whose leases end. */
export interface Ledger<Item, Record> {
  leaseDue(request: LeaseRequest): Promise<Item[]>;
  /** @returns per record whether the item was still this worker's */
  record(records: readonly Record[]): Promise<boolean[]>;
  /** Ends the leases of what was leased and will not be attempted. */
  release(items: readonly Item[]): Promise<void>;
}
