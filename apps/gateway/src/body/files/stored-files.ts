import type { IncomingMessage } from 'node:http';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { createNetworkCounts } from '@rubrica/process/bodies';
import { AppError } from '@rubrica/process/errors';
import type { CountedNetwork } from '@rubrica/process/networks';
import { type IdentifiedRequest, listCallerKeys } from '../../http/caller-keys.ts';
import { toFault } from '../../http/to-app-error.ts';

interface Readable {
  readonly raw: IncomingMessage;
}

/** Counts unreferenced bytes in the evidence store by caller, so that no caller fills the store for all. */
export interface StoredFiles {
  /** Counts the files of one line of a batch. */
  open(call: IdentifiedRequest): CallFileCount;
  /** Counts the files of a call, which `within` ends. */
  ofCall(call: IdentifiedRequest & Readable): CallFileCount;
  /** Runs the handler of a call and then ends the count of its files. */
  within<Result>(call: Readable, handle: () => Promise<Result>): Promise<Result>;
}

export interface CallFileCount {
  /**
   * Counts bytes.
   * @throws AppError RATE_LIMITED where the caller has used its share of the store
   */
  add(bytes: number): void;
  /**
   * Stops counting the files. Those of a refused call stay counted until intake has swept them.
   * @param isRefused false where a request references the files, or the service failed
   */
  end(isRefused: boolean): void;
}

/** Intake removes unreferenced files after 40 minutes, in a sweep every 15 minutes. */
const sweptAfterMs = 55 * 60_000;
const retryAfterSeconds = 60;

export function createStoredFiles({
  maxBytesPerCaller,
}: {
  readonly maxBytesPerCaller: number;
}): StoredFiles {
  const counts = createNetworkCounts();
  const releaseLater = (caller: readonly CountedNetwork[], bytes: number) =>
    setTimeout(() => counts.add(caller, -bytes), sweptAfterMs).unref();
  const calls = new WeakMap<IncomingMessage, CallFileCount>();
  const files: StoredFiles = {
    open(call) {
      const caller = listCallerKeys(call);
      let stored = 0;
      return {
        add(bytes) {
          if (counts.load(caller, bytes) > maxBytesPerCaller) throw createShareExceeded();
          counts.add(caller, bytes);
          stored += bytes;
        },
        end(isRefused) {
          if (isRefused && stored > 0) releaseLater(caller, stored);
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

/** Returns whether the caller is at fault (4xx), unlike a failure of the service (5xx), which callers should repeat. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

function createShareExceeded(): AppError {
  return new AppError({
    code: 'RATE_LIMITED',
    text: createText('call.refusedFilesTooMany'),
    retryAfterSeconds,
  });
}
