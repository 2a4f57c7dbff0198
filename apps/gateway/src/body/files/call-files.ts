import type { IncomingMessage } from 'node:http';
import type { Upload } from '@rubrica/bus';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { toAppError } from '@rubrica/process';
import { isAfterRepeat } from '@rubrica/wiring';
import { createFileKeeper, type FileKeeper } from './keep-files.ts';

/** Remembers which files came with which call, so that no call leaves more in the object store than intake took. */
export interface CallFiles {
  /** Keeps the files of the call whose body is read now. */
  open(request: IncomingMessage): FileKeeper;
  /**
   * Runs a call to its end. Files that were not handed on by then are removed. Where the call was refused, those that
   * were handed on are removed too: **a service that refuses with a status below 500 must have kept none of them**. Where
   * the outcome is not known (no answer of intake, a crash), intake's sweeps remove them.
   */
  run<Result>(request: IncomingMessage, operation: () => Promise<Result>): Promise<Result>;
}

export function createCallFiles(openUpload: () => Upload): CallFiles {
  const keepers = new WeakMap<IncomingMessage, FileKeeper>();
  const discard = (request: IncomingMessage, which: 'unnamed' | 'all') =>
    // Not awaited: the answer does not depend on it.
    void keepers.get(request)?.discard(which);
  return {
    open(request) {
      const keeper = createFileKeeper(openUpload);
      keepers.set(request, keeper);
      return keeper;
    },
    async run(request, operation) {
      try {
        const result = await operation();
        discard(request, 'unnamed');
        return result;
      } catch (error) {
        discard(request, isRefusal(error) ? 'all' : 'unnamed');
        throw error;
      }
    },
  };
}

/** After a repeat the first call may have been carried out, even where the second was refused. */
function isRefusal(error: unknown): boolean {
  const fault = toAppError(error);
  return errorCatalogue[fault.code].http < 500 && !isAfterRepeat(fault);
}
