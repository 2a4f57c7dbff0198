import { glanceAt, smallBytes } from './check-file.ts';
import type { FileCheckMetrics } from './file-check-metrics.ts';
import type { FileLimits } from './limits.ts';
import type { Verdict } from './verdict.ts';

/** A file on its way to be decoded, with what it may be. */
export interface FileToCheck {
  readonly file: Uint8Array;
  readonly limits: FileLimits;
}

/** Decodes files elsewhere: in processes that this one starts, or by a file checker of its own. */
export interface Examiner {
  /**
   * Judges the file that `read` gives. It is read once there is room for it, so that no more of them are in memory than
   * can be checked at once.
   * @throws AppError SERVICE_UNAVAILABLE where nothing can check it now, and whatever `read` throws
   */
  examine(read: () => Promise<FileToCheck>): Promise<Verdict>;
  /** Ends what it has started; what is being checked comes again. */
  stop(): Promise<void>;
  /** False where a process with the network and the files of this one decodes. */
  readonly isIsolated: boolean;
}

export interface FileChecker extends Pick<Examiner, 'isIsolated' | 'stop'> {
  /**
   * Judges the file that `read` gives. A small one is glanced at first.
   * @param sizeBytes what the file is said to have
   * @throws AppError SERVICE_UNAVAILABLE where nothing can check it now, and whatever `read` throws
   */
  check(read: () => Promise<Buffer>, sizeBytes: number): Promise<Verdict>;
}

export interface FileCheckerOptions {
  readonly examiner: Examiner;
  readonly limits: FileLimits;
  readonly metrics: Pick<FileCheckMetrics, 'checked'>;
}

export function createFileChecker({ examiner, limits, metrics }: FileCheckerOptions): FileChecker {
  return {
    async check(read, sizeBytes) {
      const small = sizeBytes <= smallBytes ? await read() : undefined;
      let startedAt = performance.now();
      const examine = () =>
        examiner.examine(async () => {
          const file = small ?? (await read());
          startedAt = performance.now();
          return { file, limits };
        });
      const verdict = (small && glanceAt(small, limits)) ?? (await examine());
      metrics.checked({ verdict: verdict.kind, durationMs: performance.now() - startedAt });
      return verdict;
    },
    stop: examiner.stop,
    isIsolated: examiner.isIsolated,
  };
}
