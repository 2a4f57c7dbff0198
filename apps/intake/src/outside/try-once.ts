import type { IncomingMessage } from 'node:http';
import type { HttpClient } from '@rubrica/process/http';

/** Result of one HTTP request; a failure is a value too. */
export type Attempt =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Body of 200, 201 and 404; other bodies are not read. */
      readonly text: string;
      readonly retryAfterMs: number | undefined;
    }
  | { readonly kind: 'too-long' | 'timeout' | 'left' }
  | { readonly kind: 'unreachable'; readonly code: string; readonly answerBegun: boolean };

export interface Request {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly timeoutMs: number;
  /** Signal of the caller. */
  readonly signal: AbortSignal;
}

const maxAnswerBytes = 64 * 1024;
const readStatuses = new Set([200, 201, 404]);

/**
 * Sends one request and follows no redirect. One deadline covers name, connection, TLS, sending and the whole
 * answer.
 */
export async function tryOnce(client: HttpClient, request: Request): Promise<Attempt> {
  const { url, method, headers, body, timeoutMs, signal } = request;
  const deadline = new AbortController();
  const stop = () => deadline.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  let answerBegun = false;
  try {
    if (signal.aborted) return { kind: 'left' };
    const answer = await client.send({ url, method, headers, body, signal: deadline.signal });
    answerBegun = true;
    return await readAnswer(answer);
  } catch (error) {
    if (signal.aborted) return { kind: 'left' };
    const code = findErrorCode(error);
    if (deadline.signal.aborted || /TIMEOUT|ETIMEDOUT/.test(code)) return { kind: 'timeout' };
    return { kind: 'unreachable', code, answerBegun };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function readAnswer(answer: IncomingMessage): Promise<Attempt> {
  const { statusCode: status = 0, headers } = answer;
  const retryAfterMs = readRetryAfterMs(headers['retry-after']);
  const answered = { kind: 'answered', status, retryAfterMs } as const;
  if (!readStatuses.has(status)) {
    // The status is enough; closing the connection is cheaper than waiting for the rest.
    answer.on('error', () => undefined).destroy();
    return { ...answered, text: '' };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxAnswerBytes) return { kind: 'too-long' };
    chunks.push(chunk as Buffer);
  }
  return { ...answered, text: Buffer.concat(chunks).toString('utf8') };
}

/**
 * Reads `Retry-After` in seconds (RFC 9110, 10.2.3). A date is never as short a wait as would be accepted, so
 * it reads as a long one.
 */
function readRetryAfterMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Number.POSITIVE_INFINITY;
}

/**
 * Returns the code of a system error. The text of an error may contain the address, and the text of a parser
 * the data that was sent.
 */
function findErrorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return findErrorCode(error.errors[0]);
  const { code, cause } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  return cause instanceof Error ? findErrorCode(cause) : 'NO_CONNECTION';
}
