import type { IncomingMessage } from 'node:http';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError, type CountedNetwork, createNetworkCounts } from '@rubrica/process';
import { type CalledBy, listCallerKeys } from '../../http/caller-keys.ts';
import { toFault } from '../../http/to-fault.ts';

interface Readable {
  readonly raw: IncomingMessage;
}

/** Bytes in the evidence store that no request names, by caller: they are bounded so that no caller fills the store for all. */
export interface StoredFiles {
  /** Counts the files of one line of a batch. */
  open(call: CalledBy): CallsFiles;
  /** Counts the files of a call, and ends them with `within`. */
  ofCall(call: CalledBy & Readable): CallsFiles;
  /** Runs the handler of a call and ends the files that it stored. */
  within<Result>(call: Readable, handle: () => Promise<Result>): Promise<Result>;
}

export interface CallsFiles {
  /** @throws AppError RATE_LIMITED where the caller has its part of the store */
  add(bytes: number): void;
  /**
   * Stops counting the files, unless the call was refused: those stay counted until intake has swept them.
   * @param isRefused false where a request names the files, or the service failed
   */
  end(isRefused: boolean): void;
}

/** Intake removes unnamed files after 40 minutes, in a sweep each quarter of an hour. */
const sweptAfterMs = 55 * 60_000;
const retryAfterSeconds = 60;

export function createStoredFiles({
  maxBytesPerCaller,
}: {
  readonly maxBytesPerCaller: number;
}): StoredFiles {
  const counts = createNetworkCounts();
  const later = (caller: readonly CountedNetwork[], bytes: number) =>
    setTimeout(() => counts.add(caller, -bytes), sweptAfterMs).unref();
  const calls = new WeakMap<IncomingMessage, CallsFiles>();
  const files: StoredFiles = {
    open(call) {
      const caller = listCallerKeys(call);
      let stored = 0;
      return {
        add(bytes) {
          if (counts.load(caller, bytes) > maxBytesPerCaller) throw partIsUsedUp();
          counts.add(caller, bytes);
          stored += bytes;
        },
        end(isRefused) {
          if (isRefused && stored > 0) later(caller, stored);
          else counts.add(caller, -stored);
          stored = 0;
        },
      };
    },
    ofCall(call) {
      const opened = files.open(call);
      calls.set(call.raw, opened);
      return opened;
    },
    async within({ raw }, handle) {
      try {
        const result = await handle();
        calls.get(raw)?.end(false);
        return result;
      } catch (error) {
        calls.get(raw)?.end(isRefusal(errorCatalogue[toFault(error).code].http));
        throw error;
      }
    },
  };
  return files;
}

/** Tells a refused call (4xx) from one that the service failed (5xx), which callers are told to repeat. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

function partIsUsedUp(): AppError {
  return new AppError({
    code: 'RATE_LIMITED',
    text: createText('call.refusedFilesTooMany'),
    retryAfterSeconds,
  });
}
