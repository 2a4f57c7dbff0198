import type { Status } from './api.ts';
import { RubricaError } from './errors.ts';
import type { Surroundings, WaitOptions } from './options.ts';
import { isTransient } from './transport/backoff.ts';
import type { Answer } from './transport/exchange.ts';
import { retryAfterMs } from './transport/read-error.ts';

interface StatusRecord {
  readonly status: Status;
}

/** Final states, after which no change follows. */
const final: readonly Status[] = ['GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED'];

const defaultDeadlineMs = 600_000;
/** Pause if the service names no time. */
const defaultPauseMs = 2_000;
const minPauseMs = 200;

/**
 * Polls the status as often as the service recommends, and reads the record only when it has changed.
 *
 * @throws RubricaError TIMEOUT when the deadline passes; errors of `read`, unless they may be temporary
 */
export async function waitForStatus<Record extends StatusRecord>(
  read: (etag: string | undefined) => Promise<Answer>,
  { until = ['ERROR'], deadlineMs = defaultDeadlineMs, onChange, signal }: WaitOptions<Record>,
  { now, pause }: Surroundings,
): Promise<Record> {
  const endsAtMs = now() + deadlineMs;
  let seen: { readonly record: Record; readonly etag: string | undefined } | undefined;
  for (;;) {
    const reading = await answerOrPause(read(seen?.etag));
    if (reading.answer !== undefined && reading.answer.status !== 304) {
      const record = reading.answer.body as Record;
      seen = { record, etag: reading.answer.headers.get('etag') ?? undefined };
      onChange?.(record);
      if (final.includes(record.status) || until.includes(record.status)) return record;
    }
    if (now() + reading.pauseMs > endsAtMs) throw deadlineError(deadlineMs, seen?.record);
    await pause(Math.max(minPauseMs, reading.pauseMs), signal);
  }
}

/** Returns the answer, or the pause after a temporary error. */
async function answerOrPause(answering: Promise<Answer>): Promise<{ answer?: Answer; pauseMs: number }> {
  try {
    const answer = await answering;
    return { answer, pauseMs: retryAfterMs(answer.headers.get('retry-after')) ?? defaultPauseMs };
  } catch (error) {
    if (!(error instanceof RubricaError) || !isTransient(error)) throw error;
    return { pauseMs: error.retryAfterMs ?? defaultPauseMs };
  }
}

function deadlineError(deadlineMs: number, record: StatusRecord | undefined): RubricaError {
  const message = `not there within ${deadlineMs} ms; the status is ${record?.status ?? 'unknown'}`;
  return new RubricaError({ message, code: 'TIMEOUT' });
}
