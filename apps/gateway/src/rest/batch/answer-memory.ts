import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Allowance } from '@rubrica/process/bodies';

/** Memory of the unread answers of one batch. */
export interface AnswerMemory {
  /**
   * Counts bytes of answers.
   * @param bytes negative for answers that were compressed or read
   */
  add(bytes: number): void;
  /**
   * Waits while the allowance has no memory for more answers.
   * @throws an error if nothing was read for the whole time
   */
  wait(stop: AbortSignal): Promise<void>;
  free(): void;
}

export interface AnswerMemoryDeps {
  readonly allowance: Allowance;
  /** Maximum time of a wait in which nothing is read, in milliseconds. */
  readonly silenceMs: number;
}

/** Reserved from the start: compressed answers of most batches, which are similar. */
const reservedBytes = 1024 * 1024;
const retryMs = 200;

/**
 * Reserves the memory of a batch's answers.
 * @throws AppError RATE_LIMITED or SERVICE_UNAVAILABLE if there is none
 */
export function reserveAnswerMemory({ allowance, silenceMs }: AnswerMemoryDeps): AnswerMemory {
  let heldBytes = 0;
  let takenBytes = reservedBytes;
  let lastReadMs = 0;
  let isFreed = false;
  allowance.take(reservedBytes);
  /** @returns false if there is too little memory for the answers */
  const adjust = (): boolean => {
    const bytes = isFreed ? 0 : Math.max(reservedBytes, heldBytes);
    try {
      if (bytes > takenBytes) allowance.take(bytes - takenBytes);
    } catch {
      return false;
    }
    if (bytes < takenBytes) allowance.give(takenBytes - bytes);
    takenBytes = bytes;
    return true;
  };
  return {
    add(bytes) {
      heldBytes += bytes;
      if (bytes < 0) lastReadMs = performance.now();
      // Answers that exist are held in any case: `wait` then keeps further lines from being taken.
      adjust();
    },
    async wait(stop) {
      const startedMs = performance.now();
      while (!adjust() && !stop.aborted) {
        if (performance.now() - Math.max(startedMs, lastReadMs) > silenceMs)
          throw new Error('the answers are not read');
        await pauseFor(retryMs, undefined, { signal: stop }).catch(() => undefined);
      }
    },
    free() {
      isFreed = true;
      adjust();
    },
  };
}
