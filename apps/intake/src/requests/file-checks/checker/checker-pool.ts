import { createText } from '@rubrica/contracts/error-texts/create-text';
import { AppError, type Logger } from '@rubrica/process';
import type { FileCheckMetrics } from '../file-check-metrics.ts';
import type { Examiner, FileToCheck } from '../file-checker.ts';
import type { Verdict } from '../verdict.ts';
import type { CheckerProgram } from './checker-program.ts';
import { hasOwnText } from './own-texts.ts';
import { type Checker, CheckerDied, type CheckerSettings, startChecker } from './start-checker.ts';

export interface CheckerPoolOptions extends CheckerSettings {
  readonly processes: number;
  /** The checker's own where it is left out. */
  readonly program?: CheckerProgram;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly metrics: Pick<FileCheckMetrics, 'died' | 'setAvailable'>;
}

interface Slot {
  checker: Checker | undefined;
}

/** A file that ends its process may be unlucky once or twice: others compete for the machine. */
export const mostTries = 3;

const tooMuch: Verdict = {
  kind: 'check-failed',
  text: createText('file.uncheckable'),
};

/** A fixed number of places; who finds none free waits for one, in turn. */
function createSlots(count: number) {
  const free: Slot[] = Array.from({ length: count }, () => ({ checker: undefined }));
  const waiting: ((slot: Slot) => void)[] = [];
  return {
    async take(): Promise<Slot> {
      // Who runs already comes before who would have to be started.
      const warm = free.findIndex(({ checker }) => checker !== undefined);
      const [slot] = free.splice(Math.max(warm, 0), 1);
      return slot ?? new Promise<Slot>((resolve) => waiting.push(resolve));
    },
    giveBack(slot: Slot) {
      const next = waiting.shift();
      if (next) next(slot);
      else free.push(slot);
    },
  };
}

/** Processes that judge files, started when first needed, kept, and replaced when they die. */
export function createCheckerPool(options: CheckerPoolOptions): Examiner {
  const { logger, metrics } = options;
  const slots = createSlots(options.processes);
  const starting = new Set<Promise<Checker>>();
  const all = new Set<Checker>();
  let stopped = false;

  const running = async (slot: Slot): Promise<Checker> => {
    if (stopped) throw unavailable();
    if (slot.checker) return slot.checker;
    const start = startChecker(options, options.program);
    starting.add(start);
    try {
      slot.checker = await start;
      all.add(slot.checker);
      metrics.setAvailable(true);
      return slot.checker;
    } catch (cause) {
      // Every request with files waits from here on, and nothing else would say why.
      if (!stopped) logger.error({ err: cause }, 'no file checker can be started; requests with files wait');
      metrics.setAvailable(false);
      throw unavailable(cause);
    } finally {
      starting.delete(start);
    }
  };
  const tryOnce = async (slot: Slot, file: FileToCheck): Promise<Verdict | undefined> => {
    const checker = await running(slot);
    try {
      const verdict = await checker.check(file);
      if (hasOwnText(verdict)) return verdict;
      await checker.kill();
      throw new CheckerDied('ended');
    } catch (error) {
      if (!(error instanceof CheckerDied)) throw error;
      all.delete(checker);
      slot.checker = undefined;
      // That the process ended says nothing about the file.
      if (stopped) throw unavailable(error);
      metrics.died(error.reason);
      logger.warn({ reason: error.reason }, 'a file checker died over a file and is replaced');
      return undefined;
    }
  };
  return {
    isIsolated: options.isolation !== 'none',
    async examine(read) {
      const slot = await slots.take();
      try {
        if (stopped) throw unavailable();
        const file = await read();
        let verdict: Verdict | undefined;
        for (let tries = 0; tries < mostTries && verdict === undefined; tries += 1)
          verdict = await tryOnce(slot, file);
        return verdict ?? tooMuch;
      } finally {
        slots.giveBack(slot);
      }
    },
    async stop() {
      stopped = true;
      await Promise.allSettled(starting);
      await Promise.all([...all].map((checker) => checker.kill()));
    },
  };
}

export function unavailable(cause?: unknown): AppError {
  return new AppError({ code: 'SERVICE_UNAVAILABLE', cause, retryAfterSeconds: 2 });
}
