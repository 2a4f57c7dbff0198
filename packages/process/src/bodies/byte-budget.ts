import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '../errors/app-error.ts';
import type { CountedNetwork } from '../networks/list-networks.ts';
import { createNetworkCounts } from './network-counts.ts';

/** Memory budget for bodies: without it one more body could end the process. */
export interface ByteBudget {
  /**
   * Opens the allowance of one body.
   * @param caller a partner or an operator, or the networks of an unknown caller
   */
  of(caller: readonly CountedNetwork[]): Allowance;
}

export interface Allowance {
  /** @throws AppError RATE_LIMITED if this caller has used its share, SERVICE_UNAVAILABLE if no memory is left */
  take(bytes: number): void;
  give(bytes: number): void;
  /**
   * Lets a budget that ends bodies end this one while it arrives.
   * @param end releases the body's memory before it returns
   * @returns function to call once the body has arrived, after which it cannot be ended
   */
  endWith(end: (reason: AppError) => void): () => void;
}

export interface BudgetLimits {
  readonly maxBytes: number;
  /** Share of `maxBytes` per caller: a larger one would leave too little for others. */
  readonly maxBytesPerCaller: number;
  /**
   * Ends the oldest of the arriving bodies if a new one finds no memory. Unknown callers have any number of addresses.
   * Without this their slow bodies would keep out all others, which arrive within milliseconds.
   */
  readonly endsOldest?: boolean;
}

/** The last quarter is for callers with less than an eighth, so that two together leave memory for a third. */
const commonPart = 3 / 4;
const smallPart = 1 / 8;

const retryAfterSeconds = 5;

interface ArrivingBody {
  end?: (reason: AppError) => void;
}

export function createByteBudget({ maxBytes, maxBytesPerCaller, endsOldest }: BudgetLimits): ByteBudget {
  const held = createNetworkCounts();
  /** Ordered by the time when they began to hold bytes. */
  const arriving = new Set<ArrivingBody>();
  let taken = 0;
  const freeMemory = (bytes: number, own: ArrivingBody) => {
    for (const body of arriving) {
      // A body that grows does not end younger ones.
      if (taken + bytes <= maxBytes || body === own) break;
      arriving.delete(body);
      body.end?.(memoryExhausted());
    }
    if (taken + bytes > maxBytes) throw memoryExhausted();
  };
  const open = (caller: readonly CountedNetwork[]): Allowance => {
    const body: ArrivingBody = {};
    return {
      take(bytes) {
        const load = held.load(caller, bytes);
        const isInReserve = taken + bytes > maxBytes * commonPart && load >= maxBytes * smallPart;
        if (load > maxBytesPerCaller || isInReserve) throw shareUsedUp();
        freeMemory(bytes, body);
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

function memoryExhausted(): AppError {
  return new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds });
}

function shareUsedUp(): AppError {
  return new AppError({
    code: 'RATE_LIMITED',
    text: createText('call.bodiesTooMany'),
    retryAfterSeconds,
  });
}
