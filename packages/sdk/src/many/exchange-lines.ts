import { RubricaError } from '../errors.ts';
import type { Fetch } from '../transport/exchange.ts';
import { failedExchange } from '../transport/exchange.ts';
import { readError } from '../transport/read-error.ts';

/** Answer of the service to one line. */
export interface LineAnswer {
  readonly line: number;
  readonly status: number;
  readonly retryAfter?: number;
  readonly body: unknown;
}

export interface LinesExchange {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Longest time without an answer. */
  readonly silenceMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a batch and yields its answers as they arrive. It ends where they end, even if lines are missing.
 *
 * @throws RubricaError if the whole batch is refused, or the connection breaks; the signal's reason if it aborted
 */
export async function* exchangeLines(
  fetch: Fetch,
  { url, headers, body, silenceMs, signal }: LinesExchange,
): AsyncGenerator<{ readonly answer: LineAnswer; readonly headers: Headers }> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  let timer = setTimeout(() => stop.abort(silenceError(silenceMs)), silenceMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: stop.signal,
    });
    if (response.status !== 200) throw await readRefusal(response);
    for await (const line of readLines(response)) {
      clearTimeout(timer);
      yield { answer: JSON.parse(line) as LineAnswer, headers: response.headers };
      timer = setTimeout(() => stop.abort(silenceError(silenceMs)), silenceMs);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof RubricaError) throw cause;
    throw stop.signal.reason instanceof RubricaError ? stop.signal.reason : failedExchange(cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    stop.abort();
  }
}

function silenceError(ms: number): RubricaError {
  return new RubricaError({ message: `no answer within ${ms} ms`, code: 'TIMEOUT', outcomeUnknown: true });
}

async function readRefusal(response: Response): Promise<RubricaError> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return readError({ status: response.status, headers: response.headers, body });
}

async function* readLines({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}
