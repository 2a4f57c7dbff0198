import { say } from '@rubrica/contracts/error-texts/say';
import { AppError, type CountedNetwork } from '@rubrica/process';
import { createNetworkCounts } from '../http/network-counts.ts';

/** Room in memory for bodies: beyond it one more could end the process. */
export interface ByteBudget {
  /** The part of one caller: a partner or an operator, or its networks while nobody is known. */
  of(caller: readonly CountedNetwork[]): Allowance;
}

export interface Allowance {
  /** @throws AppError RATE_LIMITED where this caller has its part already, SERVICE_UNAVAILABLE where no room is left */
  take(bytes: number): void;
  give(bytes: number): void;
}

export interface BudgetLimits {
  readonly maxBytes: number;
  /** Of `maxBytes`: whoever holds more would leave too little for the others. */
  readonly maxBytesPerCaller: number;
}

const retryAfterSeconds = 5;

export function createByteBudget({ maxBytes, maxBytesPerCaller }: BudgetLimits): ByteBudget {
  const held = createNetworkCounts();
  let taken = 0;
  return {
    of: (caller) => ({
      take(bytes) {
        if (held.load(caller, bytes) > maxBytesPerCaller) throw partIsUsedUp();
        if (taken + bytes > maxBytes) throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds });
        held.add(caller, bytes);
        taken += bytes;
      },
      give(bytes) {
        held.add(caller, -bytes);
        taken -= bytes;
      },
    }),
  };
}

function partIsUsedUp(): AppError {
  return new AppError({
    code: 'RATE_LIMITED',
    publicMessage: say('Too many bodies of yours are being read at once; wait for some of them'),
    retryAfterSeconds,
  });
}
