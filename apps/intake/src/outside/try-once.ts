import type { IncomingMessage } from 'node:http';
import type { HttpClient } from '@rubrica/process';

/** How one HTTP request ended. It is a value in every case. */
export type Attempt =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The body of 200, 201 and 404; of others nothing is read. */
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
  /** The caller's. */
  readonly signal: AbortSignal;
}

const longestAnswerBytes = 64 * 1024;
const meant = new Set([200, 201, 404]);

/** Sends once, redirects not followed, with one deadline for name, connection, TLS, sending and the whole answer. */
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
    const code = codeOf(error);
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
  if (!meant.has(status)) {
    // The status says all; closing the connection is cheaper than waiting for whatever comes behind it.
    answer.on('error', () => undefined).destroy();
    return { ...answered, text: '' };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length;
    if (bytes > longestAnswerBytes) return { kind: 'too-long' };
    chunks.push(chunk as Buffer);
  }
  return { ...answered, text: Buffer.concat(chunks).toString('utf8') };
}

/** RFC 9110, 10.2.3, in seconds; a date is never as short a wait as would be kept, so it reads as a long one. */
function readRetryAfterMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Number.POSITIVE_INFINITY;
}

/** A system error's code; the text of an error may contain the address, and that of a parser what was sent. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const { code, cause } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  return cause instanceof Error ? codeOf(cause) : 'NO_CONNECTION';
}
