import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { createHttpClient } from '@rubrica/process/http';
import {
  checkAddress,
  checkUrl,
  type DestinationPolicy,
  ForbiddenDestinationError,
  type RefusedName,
} from './destination-policy.ts';
import { createGuardedLookup } from './guarded-lookup.ts';
import type { Resolve } from './resolve-name.ts';

/** Result of one POST: an answer, or the reason why there was none. */
export type Answer =
  /** `start`: first 2 KiB of the answer, as the receiver wrote them. */
  | { kind: 'answered'; status: number; retryAfter: string | undefined; start: string }
  | { kind: 'failed'; failure: DialFailure; message: string };

/** Result of one GET: the whole document, or a reason, suitable for a log, why there is none. */
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
  /** Shorter budget than that of other posts. */
  readonly budgetMs?: number;
}

export interface Get {
  readonly url: string;
  readonly budgetMs: number;
  /** Maximum size; a longer document is refused. */
  readonly maxBytes: number;
}

export interface DialerOptions {
  readonly policy: DestinationPolicy;
  /** Covers name resolution, connection, TLS, sending, waiting and reading the answer's body. */
  readonly budgetMs: number;
  /** Limit after which the rest of a body is not read. */
  readonly maxResponseBytes?: number;
  readonly connectionsPerDestination: number;
  readonly resolve?: Resolve;
  /** Reports refusals for the log. */
  readonly onRefused?: (refused: RefusedName) => void;
}

export type Dialer = ReturnType<typeof createDialer>;

/** Size of the examined part of an answer. */
const excerptBytes = 2 * 1024;

/**
 * Calls addresses that third parties have chosen. Redirects are never followed, addresses are judged when dialled, time
 * and bytes are limited. Never throws: every result is a value.
 */
export function createDialer(options: DialerOptions) {
  const { connectionsPerDestination, maxResponseBytes = 64 * 1024, policy, resolve, onRefused } = options;
  const client = createHttpClient({
    connections: connectionsPerDestination,
    lookup: createGuardedLookup({ policy, resolve, onRefused }),
  });
  return {
    async post({ url: text, headers, body, ...post }: Post): Promise<Answer> {
      const budgetMs = Math.min(post.budgetMs ?? options.budgetMs, options.budgetMs);
      const url = checkDestination(text, policy);
      if (url instanceof ForbiddenDestinationError) return failed('DESTINATION_FORBIDDEN', url.message);
      const signal = AbortSignal.timeout(budgetMs);
      try {
        const response = await client.send({ url, method: 'POST', headers, body, signal });
        const { statusCode: status = 0, headers: answered } = response;
        const start = await readAtMost(response, { maxBytes: maxResponseBytes, signal });
        return { kind: 'answered', status, retryAfter: answered['retry-after'], start };
      } catch (error) {
        return explain(error, { timedOut: signal.aborted, budgetMs });
      }
    },
    /** Fetches a document; anything but a 200 with its complete body is a failure. */
    async get({ url: text, maxBytes, ...get }: Get): Promise<Document> {
      const budgetMs = Math.min(get.budgetMs, options.budgetMs);
      const url = checkDestination(text, policy);
      if (url instanceof ForbiddenDestinationError) return { kind: 'failed', message: url.message };
      const signal = AbortSignal.timeout(budgetMs);
      // Documents are fetched so rarely that the other end would have closed a kept connection.
      const headers = { accept: 'application/json', 'user-agent': 'Rubrica', connection: 'close' };
      try {
        const response = await client.send({ url, method: 'GET', headers, body: undefined, signal });
        return await readDocument(response, maxBytes);
      } catch (error) {
        return explain(error, { timedOut: signal.aborted, budgetMs });
      }
    },
    /** Maximum duration of one post. */
    budgetMs: options.budgetMs,
    close: async () => client.close(),
  };
}

/**
 * Judges the URL. The lookup judges a name's addresses; an address is judged here, because sockets look up names only.
 */
function checkDestination(text: string, policy: DestinationPolicy): URL | ForbiddenDestinationError {
  const url = checkUrl(text, policy);
  if (url instanceof ForbiddenDestinationError) return url;
  const { protocol } = url;
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(hostname)
    ? checkAddress({ protocol, hostname, address: hostname }, policy)
    : undefined;
  return refusal ?? url;
}

/**
 * Reads to the end, so that the connection can be reused, or closes it where the body is too long. A body that breaks
 * off does not matter: the status was read.
 * @returns start of the body
 * @throws when the time is up
 */
async function readAtMost(
  response: IncomingMessage,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<string> {
  const first: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      if (bytes < excerptBytes) first.push((chunk as Buffer).subarray(0, excerptBytes - bytes));
      bytes += (chunk as Buffer).length;
      // The status is known; leaving the loop destroys the stream and its connection.
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    if (signal.aborted) throw error;
  }
  return Buffer.concat(first).toString('utf8');
}

async function readDocument(response: IncomingMessage, maxBytes: number): Promise<Document> {
  if (response.statusCode !== 200) {
    response.on('error', () => undefined).destroy();
    return { kind: 'failed', message: `the answer was ${response.statusCode}` };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) return { kind: 'failed', message: `the document has more than ${maxBytes} bytes` };
    chunks.push(chunk as Buffer);
  }
  return { kind: 'read', text: Buffer.concat(chunks).toString('utf8') };
}

function failed(failure: DialFailure, message: string): Extract<Answer, { kind: 'failed' }> {
  return { kind: 'failed', failure, message };
}

function explain(error: unknown, { timedOut, budgetMs }: { timedOut: boolean; budgetMs: number }) {
  const { code, message } = findRootError(error);
  if (code === 'DESTINATION_FORBIDDEN') return failed('DESTINATION_FORBIDDEN', message);
  if (timedOut || /TIMEOUT|ETIMEDOUT/.test(code)) {
    return failed('TIMEOUT', `no complete answer within ${budgetMs / 1_000} s`);
  }
  if (code === 'ENOTFOUND') return failed('NAME_NOT_RESOLVED', 'the host name has no address');
  if (code === 'EAI_AGAIN')
    return failed('NAME_NOT_RESOLVED', 'the name servers of the host name did not answer');
  if (/TLS|SSL|CERT|SIGNATURE|ALTNAME|EPROTO/.test(code)) return failed('TLS_FAILED', `TLS failed: ${code}`);
  if (/^HPE_/.test(code)) {
    return failed('RESPONSE_INVALID', 'the answer is not valid HTTP');
  }
  return failed('CONNECTION_FAILED', `the connection failed: ${code}`);
}

/**
 * Finds the innermost error, which is the most specific: several addresses may have been tried, or an error may wrap
 * another.
 */
function findRootError(error: unknown): { code: string; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return findRootError(error.errors[0]);
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  if (error.cause instanceof Error) return findRootError(error.cause);
  const { code } = error as NodeJS.ErrnoException;
  return { code: typeof code === 'string' ? code : error.name, message: error.message };
}
