import { createTurns } from '@rubrica/wiring/shares';
import { glanceAt, smallBytes } from './check-file.ts';
import type { FileCheckMetrics } from './file-check-metrics.ts';
import { createHeavyOwners } from './heavy-owners.ts';
import type { PixelBudget } from './image/pixel-budget.ts';
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

export interface FileOfRequest {
  /** Size that was registered. */
  readonly sizeBytes: number;
  /** Owners that wait are served in turn. */
  readonly owner: string;
  /** Shared by the files of one request. */
  readonly budget: PixelBudget;
}

export interface FileChecker extends Pick<Examiner, 'isIsolated' | 'stop'> {
  readonly maxPixelsPerRequest: number;
  /**
   * Judges the file that `read` gives. A small one is glanced at first.
   * @throws AppError SERVICE_UNAVAILABLE where nothing can check it now, and whatever `read` throws
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
  /** Files that are with the examiner at once. */
  readonly atOnce: number;
  /** Examinations from which on its owner has a single place with all others like it. */
  readonly longMs?: number;
  readonly metrics: Pick<FileCheckMetrics, 'checked'>;
}

/** Leaves an examination whose file the request has no pixels for. */
class BudgetSpent extends Error {}

export function createFileChecker(options: FileCheckerOptions): FileChecker {
  const { examiner, limits, metrics, maxPixelsPerRequest } = options;
  const turns = createTurns({ places: options.atOnce });
  // Turns count places, not time: files that take seconds each would hold all of them.
  const heavyTurns = createTurns({ places: 1 });
  const heavy = createHeavyOwners(options);
  const inTurn = (owner: string, work: () => Promise<Verdict>): Promise<Verdict> => {
    const run = () => turns.run(owner, () => heavy.watch(owner, work));
    return heavy.isHeavy(owner) ? heavyTurns.run(owner, run) : run();
  };
  return {
    maxPixelsPerRequest,
    async check(read, { sizeBytes, owner, budget }) {
      const small = sizeBytes <= smallBytes ? await read() : undefined;
      let startedAt = performance.now();
      const examine = () =>
        inTurn(owner, async () => {
          let spent: Verdict | undefined;
          // Read when the examiner asks: a file is given to none that is not there, or not believed.
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
      const verdict = (small && glanceAt(small, limits)) ?? (await examine());
      metrics.checked({ verdict: verdict.kind, durationMs: performance.now() - startedAt });
      return verdict;
    },
    async stop() {
      heavyTurns.stop();
      turns.stop();
      await examiner.stop();
    },
    isIsolated: examiner.isIsolated,
  };
}
