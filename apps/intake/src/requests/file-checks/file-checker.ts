import { createWaitingSlots } from '@rubrica/wiring/shares';
import { checkSmallFile, maxQuickBytes } from './check-file.ts';
import type { FileCheckMetrics } from './file-check-metrics.ts';
import { createHeavyOwners } from './heavy-owners.ts';
import type { PixelBudget } from './image/pixel-budget.ts';
import type { FileLimits } from './limits.ts';
import type { Verdict } from './verdict.ts';

/** File on its way to be decoded, with its limits. */
export interface FileToCheck {
  readonly file: Uint8Array;
  readonly limits: FileLimits;
}

/**
 * Decoder of files outside this process: in processes that this one starts, or in a separate file checker.
 */
export interface Examiner {
  /**
   * Judges the file that `read` returns. It is read once there is room for it, so that no more files are in
   * memory than can be checked at once.
   * @throws AppError SERVICE_UNAVAILABLE if nothing can check it now, and whatever `read` throws
   */
  examine(read: () => Promise<FileToCheck>): Promise<Verdict>;
  /** Ends what it has started; files under check come again. */
  stop(): Promise<void>;
  /** False if a process with the network and the files of this one decodes. */
  readonly isIsolated: boolean;
}

export interface FileOfRequest {
  /** Size that was registered. */
  readonly sizeBytes: number;
  /** Owner of the file; owners that wait are served in rotation. */
  readonly owner: string;
  /** Budget that the files of one request share. */
  readonly budget: PixelBudget;
}

export interface FileChecker extends Pick<Examiner, 'isIsolated' | 'stop'> {
  readonly maxPixelsPerRequest: number;
  /**
   * Judges the file that `read` returns. A small one is first checked without a process.
   * @throws AppError SERVICE_UNAVAILABLE if nothing can check it now, and whatever `read` throws
   */
  check(read: () => Promise<Buffer>, file: FileOfRequest): Promise<Verdict>;
}

export interface FileCheckerDeps {
  readonly fileChecker: FileChecker;
}

export interface FileCheckerOptions {
  readonly examiner: Examiner;
  readonly limits: FileLimits;
  readonly maxPixelsPerRequest: number;
  /** Number of files that are with the examiner at once. */
  readonly atOnce: number;
  /** Duration of an examination after which its owner shares a single slot with all similar owners. */
  readonly longMs?: number;
  readonly metrics: Pick<FileCheckMetrics, 'checked'>;
}

/** Error that ends an examination: the request has no pixels left for its file. */
class BudgetSpent extends Error {}

export function createFileChecker(options: FileCheckerOptions): FileChecker {
  const { examiner, limits, metrics, maxPixelsPerRequest } = options;
  const queue = createWaitingSlots({ places: options.atOnce });
  // The queue counts slots, not time: files that take seconds each would occupy all of them.
  const heavyQueue = createWaitingSlots({ places: 1 });
  const heavy = createHeavyOwners(options);
  const runQueued = (owner: string, work: () => Promise<Verdict>): Promise<Verdict> => {
    const run = () => queue.run(owner, () => heavy.watch(owner, work));
    return heavy.isHeavy(owner) ? heavyQueue.run(owner, run) : run();
  };
  return {
    maxPixelsPerRequest,
    async check(read, { sizeBytes, owner, budget }) {
      const small = sizeBytes <= maxQuickBytes ? await read() : undefined;
      let startedAt = performance.now();
      const examine = () =>
        runQueued(owner, async () => {
          let spent: Verdict | undefined;
          // Read when the examiner asks: no examiner gets a file if it is absent or not trusted.
          const examined = examiner.examine(async () => {
            const file = small ?? (await read());
            startedAt = performance.now();
            spent = budget.spend(file);
            if (spent !== undefined) throw new BudgetSpent();
            return { file, limits };
          });
          return examined.catch((error: unknown) => {
            if (error instanceof BudgetSpent && spent !== undefined) return spent;
            throw error;
          });
        });
      const verdict = (small && checkSmallFile(small, limits)) ?? (await examine());
      metrics.checked({ verdict: verdict.kind, durationMs: performance.now() - startedAt });
      return verdict;
    },
    async stop() {
      heavyQueue.stop();
      queue.stop();
      await examiner.stop();
    },
    isIsolated: examiner.isIsolated,
  };
}
