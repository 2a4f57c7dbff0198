import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@rubrica/database';
import type { Logger } from '@rubrica/process';

const pauseMs = 1_000;
const tellEveryMs = 5_000;

type Telling = Pick<Logger, 'warn'>;

/**
 * Does `work`, which is safe to repeat, again each second while PostgreSQL cannot be reached, and says every five
 * seconds that it waits. Any other fault is thrown.
 */
export async function untilDatabaseAnswers<T>(work: () => Promise<T>, logger: Telling): Promise<T> {
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

/** Says every five seconds, until `connecting` is settled, that the bus is waited for. */
export async function untilBusAnswers<T>(connecting: Promise<T>, logger: Telling): Promise<T> {
  const telling = setInterval(() => logger.warn({}, 'waiting for the bus'), tellEveryMs);
  try {
    return await connecting;
  } finally {
    clearInterval(telling);
  }
}
