import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '../errors/app-error.ts';
import type { CountedNetwork } from '../networks/list-networks.ts';
import { createNetworkCounts } from './network-counts.ts';

/** Room in memory for bodies: beyond it one more could end the process. */
export interface ByteBudget {
  /**
   * Opens the part of one body.
   * @param caller a partner or an operator, or the networks of an unknown caller
   */
  of(caller: readonly CountedNetwork[]): Allowance;
}

export interface Allowance {
  /** @throws AppError RATE_LIMITED where this caller has its part already, SERVICE_UNAVAILABLE where no room is left */
  take(bytes: number): void;
  give(bytes: number): void;
  /**
   * Lets a budget that ends bodies end this one while it arrives.
   * @param end gives back what the body holds before it returns
   * @returns keeps the body from being ended, once it has arrived
   */
  endWith(end: (reason: AppError) => void): () => void;
}

export interface BudgetLimits {
  readonly maxBytes: number;
  /** Part of `maxBytes`: whoever holds more would leave too little for the others. */
  readonly maxBytesPerCaller: number;
  /**
   * Ends the oldest of the bodies that still arrive where a new one finds no room. Strangers have any number of addresses, so
   * that their slow bodies would otherwise keep out all others, which come within milliseconds.
   */
  readonly endsOldest?: boolean;
}

/** The last quarter is for callers with less than an eighth, so that two together leave room for a third. */
const commonPart = 3 / 4;
const smallPart = 1 / 8;

const retryAfterSeconds = 5;

interface ArrivingBody {
  end?: (reason: AppError) => void;
}

export function createByteBudget({ maxBytes, maxBytesPerCaller, endsOldest }: BudgetLimits): ByteBudget {
  const held = createNetworkCounts();
  /** Ordered by when they began to hold bytes. */
  const arriving = new Set<ArrivingBody>();
  let taken = 0;
  const makeRoom = (bytes: number, own: ArrivingBody) => {
    for (const body of arriving) {
      // A body that grows does not end younger ones.
      if (taken + bytes <= maxBytes || body === own) break;
      arriving.delete(body);
      body.end?.(noRoom());
    }
    if (taken + bytes > maxBytes) throw noRoom();
  };
  const open = (caller: readonly CountedNetwork[]): Allowance => {
    const body: ArrivingBody = {};
    return {
      take(bytes) {
        const load = held.load(caller, bytes);
        const isInReserve = taken + bytes > maxBytes * commonPart && load >= maxBytes * smallPart;
        if (load > maxBytesPerCaller || isInReserve) throw partIsUsedUp();
        makeRoom(bytes, body);
        held.add(caller, bytes);
        taken += bytes;
        if (body.end !== undefined) arriving.add(body);
      },
      give(bytes) {
        held.add(caller, -bytes);
        taken -= bytes;
      },
      endWith(end) {
        if (endsOldest) body.end = end;
        return () => {
          delete body.end;
          arriving.delete(body);
        };
      },
    };
  };
  return { of: open };
}

function noRoom(): AppError {
  return new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds });
}

function partIsUsedUp(): AppError {
  return new AppError({
    code: 'RATE_LIMITED',
    text: createText('call.bodiesTooMany'),
    retryAfterSeconds,
  });
}
