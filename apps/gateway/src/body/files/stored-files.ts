import type { IncomingMessage } from 'node:http';
import { say } from '@rubrica/contracts/error-texts/say';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { AppError, type CountedNetwork } from '@rubrica/process';
import { type CalledBy, listCallerKeys } from '../../http/caller-keys.ts';
import { createNetworkCounts } from '../../http/network-counts.ts';
import { toFault } from '../../http/to-fault.ts';

interface Readable {
  readonly raw: IncomingMessage;
}

/** What callers have in the evidence store that no request names: nobody else would have room where one could fill it. */
export interface StoredFiles {
  /** The files of one line of a call. */
  open(call: CalledBy): CallsFiles;
  /** The files of a whole call, until `within` is over. */
  ofCall(call: CalledBy & Readable): CallsFiles;
  /** Makes a call, and sees how it ends. */
  within<Result>(call: Readable, handle: () => Promise<Result>): Promise<Result>;
}

export interface CallsFiles {
  /** @throws AppError RATE_LIMITED where the caller has its part of the store */
  add(bytes: number): void;
  /** @param isRefused they stay counted until intake has swept them; else a request names them, or the fault was ours */
  end(isRefused: boolean): void;
}

/** Intake sweeps each quarter of an hour what has been nobody's for 40 minutes. */
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

/** A call that failed for a fault of ours may come again, as often as that takes. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

function partIsUsedUp(): AppError {
  return new AppError({
    code: 'RATE_LIMITED',
    publicMessage: say(
      'Too many files of yours came with calls that were refused; they are kept for an hour',
    ),
    retryAfterSeconds,
  });
}
