import type { IncomingMessage } from 'node:http';
import type { Upload } from '@rubrica/bus';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { toAppError } from '@rubrica/process';
import { isAfterRepeat } from '../../peers/repeat-once.ts';
import { createFileKeeper, type FileKeeper } from './keep-files.ts';

/** Which files came with which call, so that no call leaves more in the object store than intake took. */
export interface CallFiles {
  /** Keeps the files of the call whose body is read now. */
  open(request: IncomingMessage): FileKeeper;
  /**
   * Runs a call to its end. Files that were not handed on by then are removed; where the call was refused, so are
   * those that were: **whoever refuses with a status below 500 must have kept none of them**. Whatever is not known
   * (no answer of intake, a crash of ours) is left to the sweeps of intake.
   */
  around<Result>(request: IncomingMessage, run: () => Promise<Result>): Promise<Result>;
}

export function createCallFiles(openUpload: () => Upload): CallFiles {
  const keepers = new WeakMap<IncomingMessage, FileKeeper>();
  const discard = (request: IncomingMessage, which: 'unnamed' | 'all') =>
    // Nobody waits: the answer does not depend on it.
    void keepers.get(request)?.discard(which);
  return {
    open(request) {
      const keeper = createFileKeeper(openUpload);
      keepers.set(request, keeper);
      return keeper;
    },
    async around(request, run) {
      try {
        const result = await run();
        discard(request, 'unnamed');
        return result;
      } catch (error) {
        discard(request, isRefusal(error) ? 'all' : 'unnamed');
        throw error;
      }
    },
  };
}

/** After a repeat the first call may have been carried out, whatever the second was answered. */
function isRefusal(error: unknown): boolean {
  const fault = toAppError(error);
  return errorCatalogue[fault.code].http < 500 && !isAfterRepeat(fault);
}
