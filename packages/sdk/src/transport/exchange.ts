import { RubricaError } from '../errors.ts';

export type Fetch = typeof globalThis.fetch;

export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed if it is JSON; otherwise undefined. */
  readonly body: unknown;
}

/**
 * Makes one call and reads its whole answer, whatever its status.
 *
 * @throws RubricaError NETWORK_ERROR or TIMEOUT; the reason of the caller's signal if it aborted
 */
export async function exchange(
  fetch: Fetch,
  { url, timeoutMs, signal, ...request }: Exchange,
): Promise<Answer> {
  signal?.throwIfAborted();
  const timer = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      ...request,
      // A redirect would send the body, with its password, to any address.
      redirect: 'manual',
      signal: signal === undefined ? timer : AbortSignal.any([signal, timer]),
    });
    return { status: response.status, headers: response.headers, body: parse(await response.text()) };
  } catch (cause) {
    signal?.throwIfAborted();
    throw timer.aborted ? timeoutError(timeoutMs, cause) : failedExchange(cause);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function timeoutError(timeoutMs: number, cause: unknown): RubricaError {
  const message = `no answer within ${timeoutMs} ms`;
  return new RubricaError({ message, code: 'TIMEOUT', outcomeUnknown: true, cause });
}

/**
 * Codes of Node.js for connections that were not established, so that nothing was sent. Other runtimes do not report
 * them.
 */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

export function failedExchange(cause: unknown): RubricaError {
  const reason = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  const code = typeof reason === 'object' && reason !== null && 'code' in reason ? reason.code : undefined;
  return new RubricaError({
    message: `the service could not be reached: ${reason instanceof Error ? reason.message : String(reason)}`,
    code: 'NETWORK_ERROR',
    outcomeUnknown: !(typeof code === 'string' && neverSent.has(code)),
    cause,
  });
}
