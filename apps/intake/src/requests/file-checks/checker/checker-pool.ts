import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import type { FileCheckMetrics } from '../file-check-metrics.ts';
import type { Examiner, FileToCheck } from '../file-checker.ts';
import type { Verdict } from '../verdict.ts';
import { hasAllowedText } from './allowed-texts.ts';
import type { CheckerProgram } from './checker-program.ts';
import { type Checker, CheckerDied, type CheckerSettings, startChecker } from './start-checker.ts';

export interface CheckerPoolOptions extends CheckerSettings {
  readonly processes: number;
  /** Program of the checker; absent: the checker's own. */
  readonly program?: CheckerProgram;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly metrics: Pick<FileCheckMetrics, 'died' | 'setAvailable'>;
}

interface Slot {
  checker: Checker | undefined;
}

/**
 * Tries of one file. A file that ends its process may be unlucky once or twice: others compete for the
 * machine.
 */
export const maxCheckTries = 3;

const uncheckable: Verdict = {
  kind: 'check-failed',
  text: createText('file.uncheckable'),
};

/** Creates a fixed number of slots. If none is free, a caller waits for one, in order of arrival. */
function createSlots(count: number) {
  const free: Slot[] = Array.from({ length: count }, () => ({ checker: undefined }));
  const waiting: ((slot: Slot) => void)[] = [];
  return {
    async take(): Promise<Slot> {
      // A running checker comes before one that would have to be started.
      const warm = free.findIndex(({ checker }) => checker !== undefined);
      const [slot] = free.splice(Math.max(warm, 0), 1);
      return slot ?? new Promise<Slot>((resolve) => waiting.push(resolve));
    },
    release(slot: Slot) {
      const next = waiting.shift();
      if (next) next(slot);
      else free.push(slot);
    },
  };
}

/** Creates processes that judge files, started when first needed, kept, and replaced when they die. */
export function createCheckerPool(options: CheckerPoolOptions): Examiner {
  const { logger, metrics } = options;
  const slots = createSlots(options.processes);
  const starting = new Set<Promise<Checker>>();
  const checkers = new Set<Checker>();
  let stopped = false;

  const ensureRunning = async (slot: Slot): Promise<Checker> => {
    if (stopped) throw createCheckerUnavailable();
    if (slot.checker) return slot.checker;
    const start = startChecker(options, options.program);
    starting.add(start);
    try {
      slot.checker = await start;
      checkers.add(slot.checker);
      metrics.setAvailable(true);
      return slot.checker;
    } catch (cause) {
      // Every request with files waits now, and nothing else would tell the reason.
      if (!stopped) logger.error({ err: cause }, 'file checker not started; requests with files wait');
      metrics.setAvailable(false);
      throw createCheckerUnavailable(cause);
    } finally {
      starting.delete(start);
    }
  };
  const tryOnce = async (slot: Slot, file: FileToCheck): Promise<Verdict | undefined> => {
    const checker = await ensureRunning(slot);
    try {
      const verdict = await checker.check(file);
      if (hasAllowedText(verdict)) return verdict;
      await checker.kill();
      throw new CheckerDied('ended');
    } catch (error) {
      if (!(error instanceof CheckerDied)) throw error;
      checkers.delete(checker);
      slot.checker = undefined;
      // The end of the process says nothing about the file.
      if (stopped) throw createCheckerUnavailable(error);
      metrics.died(error.reason);
      logger.warn({ reason: error.reason }, 'file checker died; process replaced');
      return undefined;
    }
  };
  return {
    isIsolated: options.isolation !== 'none',
    async examine(read) {
      const slot = await slots.take();
      try {
        if (stopped) throw createCheckerUnavailable();
        const file = await read();
        let verdict: Verdict | undefined;
        for (let tries = 0; tries < maxCheckTries && verdict === undefined; tries += 1)
          verdict = await tryOnce(slot, file);
        return verdict ?? uncheckable;
      } finally {
        slots.release(slot);
      }
    },
    async stop() {
      stopped = true;
      await Promise.allSettled(starting);
      await Promise.all([...checkers].map((checker) => checker.kill()));
    },
  };
}

export function createCheckerUnavailable(cause?: unknown): AppError {
  return new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
}
