import { Agent, type Dispatcher } from 'undici';
import { checkUrl, type DestinationPolicy, ForbiddenDestinationError } from './destination-policy.ts';
import { guardedConnector, type Resolve } from './guarded-connector.ts';

/** How one POST ended: with an answer, or with a reason why there was none. */
export type Answer =
  /** `start`: the first 2 KiB of the answer, as the receiver wrote them. */
  | { kind: 'answered'; status: number; retryAfter: string | undefined; start: string }
  | { kind: 'failed'; failure: DialFailure; message: string };

/** How one GET ended: with the whole document, or with a reason, fit for a log, why there is none. */
export type Document = { kind: 'read'; text: string } | { kind: 'failed'; message: string };

export type DialFailure =
  | 'TIMEOUT'
  | 'CONNECTION_FAILED'
  | 'NAME_NOT_RESOLVED'
  | 'TLS_FAILED'
  | 'RESPONSE_INVALID'
  | 'DESTINATION_FORBIDDEN'
  | 'NOT_SENT';

export interface Post {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  /** Where it is to be shorter than that of all posts. */
  readonly budgetMs?: number;
}

export interface Get {
  readonly url: string;
  readonly budgetMs: number;
  /** A longer document is refused. */
  readonly maxBytes: number;
}

export interface DialerOptions {
  readonly policy: DestinationPolicy;
  /** For everything: name, connection, TLS, sending, waiting, reading the answer's body. */
  readonly budgetMs: number;
  /** The rest of a longer body is not read. */
  readonly maxResponseBytes?: number;
  readonly connectionsPerDestination: number;
  readonly resolve?: Resolve;
}

export type Dialer = ReturnType<typeof createDialer>;

/** Of an answer: more is not looked at. */
const startBytes = 2 * 1024;

/**
 * Calls addresses that strangers have chosen. Redirects are never followed (undici's `request` does not),
 * addresses are judged when dialled, time and bytes are bounded. It never throws: every end is a value.
 */
export function createDialer(options: DialerOptions) {
  const { connectionsPerDestination, maxResponseBytes = 64 * 1024, policy, resolve } = options;
  const agent = new Agent({
    connect: guardedConnector(policy, { connectTimeoutMs: options.budgetMs, ...(resolve && { resolve }) }),
    connections: connectionsPerDestination,
    pipelining: 1,
    headersTimeout: options.budgetMs,
    bodyTimeout: options.budgetMs,
    maxHeaderSize: 16 * 1024,
  });
  return {
    async post({ url: text, headers, body, ...post }: Post): Promise<Answer> {
      const budgetMs = Math.min(post.budgetMs ?? options.budgetMs, options.budgetMs);
      const url = checkUrl(text, policy);
      if (url instanceof ForbiddenDestinationError) return failed('DESTINATION_FORBIDDEN', url.message);
      const signal = AbortSignal.timeout(budgetMs);
      try {
        const response = await agent.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: 'POST',
          headers,
          body,
          signal,
        });
        const start = await readAtMost(response.body, maxResponseBytes);
        return {
          kind: 'answered',
          status: response.statusCode,
          retryAfter: single(response.headers['retry-after']),
          start,
        };
      } catch (error) {
        return explain(error, { timedOut: signal.aborted, budgetMs });
      }
    },
    /** Anything but a 200 and its whole body is a failure. */
    async get({ url: text, maxBytes, ...get }: Get): Promise<Document> {
      const budgetMs = Math.min(get.budgetMs, options.budgetMs);
      const url = checkUrl(text, policy);
      if (url instanceof ForbiddenDestinationError) return { kind: 'failed', message: url.message };
      const signal = AbortSignal.timeout(budgetMs);
      try {
        const response = await agent.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: 'GET',
          headers: { accept: 'application/json', 'user-agent': 'Rubrica' },
          // Asked so rarely that a kept connection would be one that its other end has left.
          reset: true,
          signal,
        });
        return await readDocument(response, maxBytes);
      } catch (error) {
        return explain(error, { timedOut: signal.aborted, budgetMs });
      }
    },
    /** The most that one post takes. */
    budgetMs: options.budgetMs,
    close: () => agent.destroy(),
  };
}

/**
 * Reads to the end, so that the connection can be used again, or closes it where the body is too long.
 * @returns how it begins
 */
async function readAtMost(body: Dispatcher.ResponseData['body'], limitBytes: number): Promise<string> {
  const first: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (bytes < startBytes) first.push((chunk as Buffer).subarray(0, startBytes - bytes));
    bytes += (chunk as Buffer).length;
    // The status has been given; leaving the loop destroys the stream and with it the connection.
    if (bytes > limitBytes) break;
  }
  return Buffer.concat(first).toString('utf8');
}

async function readDocument(
  { statusCode, body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Document> {
  if (statusCode !== 200) {
    body.on('error', () => undefined).destroy();
    return { kind: 'failed', message: `the answer was ${statusCode}` };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) return { kind: 'failed', message: `the document has more than ${maxBytes} bytes` };
    chunks.push(chunk as Buffer);
  }
  return { kind: 'read', text: Buffer.concat(chunks).toString('utf8') };
}

function single(value: string | string[] | undefined) {
  return Array.isArray(value) ? value[0] : value;
}

function failed(failure: DialFailure, message: string): Extract<Answer, { kind: 'failed' }> {
  return { kind: 'failed', failure, message };
}

function explain(error: unknown, { timedOut, budgetMs }: { timedOut: boolean; budgetMs: number }) {
  const { code, message } = rootOf(error);
  if (code === 'DESTINATION_FORBIDDEN') return failed('DESTINATION_FORBIDDEN', message);
  if (timedOut || /TIMEOUT|ETIMEDOUT/.test(code)) {
    return failed('TIMEOUT', `no complete answer within ${budgetMs / 1_000} s`);
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return failed('NAME_NOT_RESOLVED', 'the host name has no address');
  if (/TLS|SSL|CERT|SIGNATURE|ALTNAME|EPROTO/.test(code)) return failed('TLS_FAILED', `TLS failed: ${code}`);
  if (/^HPE_|HTTPParserError|HEADERS_OVERFLOW|RESPONSE/.test(code)) {
    return failed('RESPONSE_INVALID', 'the answer is not valid HTTP');
  }
  return failed('CONNECTION_FAILED', `the connection failed: ${code}`);
}

/** Where several addresses were tried, or an error wraps another, the innermost one tells most. */
function rootOf(error: unknown): { code: string; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  if (error.cause instanceof Error) return rootOf(error.cause);
  const { code } = error as NodeJS.ErrnoException;
  return { code: typeof code === 'string' ? code : error.name, message: error.message };
}
