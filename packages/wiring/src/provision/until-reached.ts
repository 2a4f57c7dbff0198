import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@rubrica/database/connection';
import type { Logger } from '@rubrica/process/log';

const pauseMs = 1_000;
const tellEveryMs = 5_000;

type WarningLogger = Pick<Logger, 'warn'>;

/**
 * Repeats `work`, which must be safe to repeat, each second while PostgreSQL cannot be reached, and logs every five
 * seconds that it waits. Other faults are thrown.
 */
export async function untilDatabaseAnswers<T>(work: () => Promise<T>, logger: WarningLogger): Promise<T> {
  for (let toldAt = -tellEveryMs; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (performance.now() - toldAt >= tellEveryMs) {
        toldAt = performance.now();
        logger.warn({ err: error }, 'waiting for the database');
      }
    }
    await delay(pauseMs);
  }
}

/** Logs every five seconds that the bus is awaited, until `connecting` is settled. */
export async function untilBusAnswers<T>(connecting: Promise<T>, logger: WarningLogger): Promise<T> {
  const telling = setInterval(() => logger.warn({}, 'waiting for the bus'), tellEveryMs);
  try {
    return await connecting;
  } finally {
    clearInterval(telling);
  }
}
