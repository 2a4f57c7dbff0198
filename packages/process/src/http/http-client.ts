import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

export interface HttpClientOptions {
  /** Connections to one scheme, host and port at once. */
  readonly connections: number;
  /** Resolves names instead of the system. It does not see addresses that stand in the URL themselves. */
  readonly lookup?: (protocol: 'http:' | 'https:') => LookupFunction;
}

export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | undefined;
  /** Ends the request in every phase, also while the answer's body is read. */
  readonly signal: AbortSignal;
}

export interface HttpClient {
  /**
   * Sends once and follows no redirect.
   * @returns the final answer, whose body must be read to its end or destroyed
   * @throws a system error, one of TLS, or the parser's (`HPE_…`)
   */
  send(request: HttpRequest): Promise<IncomingMessage>;
  /** Ends all connections, with what is under way on them. */
  close(): void;
}

const maxHeaderBytes = 16 * 1024;
/** Receivers that say "still working" each second come to fifteen; without a bound one could send nothing else. */
const mostInformational = 100;
/** Idle connections are closed before most servers close theirs, whose end would meet the next request. */
const idleMs = 4_000;

/**
 * HTTP/1.1 by Node's own client. Unlike undici 8, which destroys the connection at a `100 Continue`, it skips informational
 * responses (RFC 9110, section 15.2). A receiver may send them unasked.
 */
export function createHttpClient({ connections, lookup }: HttpClientOptions): HttpClient {
  const pool = { keepAlive: true, maxSockets: connections, maxFreeSockets: connections, timeout: idleMs };
  const agents = {
    'http:': new HttpAgent({ ...pool, ...(lookup && { lookup: lookup('http:') }) }),
    // Said aloud, so that no variable of the environment can switch it off.
    'https:': new HttpsAgent({
      ...pool,
      rejectUnauthorized: true,
      ...(lookup && { lookup: lookup('https:') }),
    }),
  };
  const underWay = new Set<ClientRequest>();
  return {
    send({ url, method, headers, body, signal }) {
      const isHttps = url.protocol === 'https:';
      const options = { method, headers: { ...headers }, signal, maxHeaderSize: maxHeaderBytes };
      const request = isHttps
        ? requestHttps(url, { ...options, agent: agents['https:'] })
        : requestHttp(url, { ...options, agent: agents['http:'] });
      underWay.add(request);
      request.once('close', () => underWay.delete(request));
      boundInformational(request);
      return new Promise((resolve, reject) => {
        request.once('response', resolve);
        // Errors after the answer has begun are those of its body.
        request.on('error', reject);
        // Node destroys a request that waits for a connection, but emits its error only once it has one.
        const onAbort = () => reject(signal.reason);
        if (signal.aborted) onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        request.once('close', () => signal.removeEventListener('abort', onAbort));
        // Nobody has asked for another protocol.
        request.once('upgrade', (_answer, socket) => {
          socket.destroy();
          reject(invalid('the protocol was switched'));
        });
        request.end(body);
      });
    },
    close() {
      for (const request of underWay) request.destroy();
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function boundInformational(request: ClientRequest): void {
  let count = 0;
  request.on('information', () => {
    count += 1;
    if (count > mostInformational) request.destroy(invalid('more informational responses than are read'));
  });
}

/** Error with a code like those of the parser. */
function invalid(message: string): Error {
  return Object.assign(new Error(message), { code: 'HPE_RESPONSE_INVALID' });
}
