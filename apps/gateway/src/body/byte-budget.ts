import { say } from '@rubrica/contracts/error-texts/say';
import { AppError } from '@rubrica/process';

/** Room in memory for bodies: beyond it one more could end the process. */
export interface ByteBudget {
  /** The part of one caller: a partner or an operator, or an address while nobody is known. */
  of(caller: string): Allowance;
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
  const heldBy = new Map<string, number>();
  let taken = 0;
  return {
    of: (caller) => ({
      take(bytes) {
        const held = (heldBy.get(caller) ?? 0) + bytes;
        if (held > maxBytesPerCaller) throw partIsUsedUp();
        if (taken + bytes > maxBytes) throw new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds });
        heldBy.set(caller, held);
        taken += bytes;
      },
      give(bytes) {
        const held = (heldBy.get(caller) ?? 0) - bytes;
        // Who has nothing is forgotten, or every address that ever called would stay.
        if (held > 0) heldBy.set(caller, held);
        else heldBy.delete(caller);
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
