import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { createChunkCounter } from '../bodies/small-chunks.ts';

export interface HttpClientOptions {
  /** Maximum connections to one scheme, host and port. */
  readonly connections: number;
  /** Resolves names instead of the system. Addresses in the URL itself do not reach it. */
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
   * @throws a system error, an error of TLS, or the parser's (`HPE_…`)
   */
  send(request: HttpRequest): Promise<IncomingMessage>;
  /** Ends all connections and the requests on them. */
  close(): void;
}

const maxHeaderBytes = 16 * 1024;
/** Receivers that send "still working" each second reach fifteen; without a limit one could send nothing else. */
const maxInformational = 100;
/** Maximum size of all headers before the final answer's body. Node builds each header, however short. */
const maxHeadBytes = 4 * maxHeaderBytes;
/** Maximum bytes that the parser receives at once. */
const sliceBytes = 2 * 1024;
/** Idle connections are closed before most servers close theirs, which could meet the next request. */
const idleMs = 4_000;

/**
 * Creates an HTTP/1.1 client on Node's own. It skips informational responses (RFC 9110, section 15.2), which a receiver
 * may send unrequested; undici 8 destroys the connection at a `100 Continue`.
 */
export function createHttpClient({ connections, lookup }: HttpClientOptions): HttpClient {
  const pool = { keepAlive: true, maxSockets: connections, maxFreeSockets: connections, timeout: idleMs };
  const agents = {
    'http:': new HttpAgent({ ...pool, ...(lookup && { lookup: lookup('http:') }) }),
    // Explicit, so that no environment variable can disable it.
    'https:': new HttpsAgent({
      ...pool,
      rejectUnauthorized: true,
      ...(lookup && { lookup: lookup('https:') }),
    }),
  };
  const inFlight = new Set<ClientRequest>();
  return {
    send({ url, method, headers, body, signal }) {
      const isHttps = url.protocol === 'https:';
      const options = { method, headers: { ...headers }, signal, maxHeaderSize: maxHeaderBytes };
      const request = isHttps
        ? requestHttps(url, { ...options, agent: agents['https:'] })
        : requestHttp(url, { ...options, agent: agents['http:'] });
      inFlight.add(request);
      request.once('close', () => inFlight.delete(request));
      boundInformational(request);
      parseInSlices(request);
      return new Promise((resolve, reject) => {
        request.once('response', resolve);
        // Errors after the answer has begun belong to its body.
        request.on('error', reject);
        // Node destroys a request that waits for a connection, but emits its error only once it has one.
        const onAbort = () => reject(signal.reason);
        if (signal.aborted) onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        request.once('close', () => signal.removeEventListener('abort', onAbort));
        // No other protocol was requested.
        request.once('upgrade', (_answer, socket) => {
          socket.destroy();
          reject(createParserError('the protocol was switched'));
        });
        request.end(body);
      });
    },
    close() {
      for (const request of inFlight) request.destroy();
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function boundInformational(request: ClientRequest): void {
  let count = 0;
  const onInformation = () => {
    count += 1;
    if (count <= maxInformational) return;
    request.off('information', onInformation);
    request.destroy(createParserError('more informational responses than are read'));
  };
  request.on('information', onInformation);
}

/** Ends an answer in many small chunks while they are parsed: its reader would see them only after all of them are parsed. */
function boundSmallChunks(response: IncomingMessage): void {
  const count = createChunkCounter();
  const push = response.push.bind(response);
  response.push = (chunk: Buffer | null, encoding) => {
    if (chunk !== null && !count(chunk))
      response.destroy(createParserError('more small chunks than are read'));
    return push(chunk, encoding);
  };
}

/**
 * Passes the socket's data to the parser in slices, until the request is destroyed. Otherwise the parser takes a whole piece of
 * 64 KiB, even if the answer ends within it. 3,500 informational responses in it, or 10,000 chunks of one byte, take tens of
 * milliseconds.
 */
function parseInSlices(request: ClientRequest): void {
  let answer: IncomingMessage | undefined;
  request.on('response', (response) => {
    answer = response;
    boundSmallChunks(response);
  });
  request.once('socket', (socket) => {
    // The listener through which Node feeds its parser; it has just been added.
    const feed = socket.listeners('data').at(-1);
    if (feed === undefined) return;
    let headBytes = 0;
    const feedSlices = (bytes: Buffer) => {
      for (let start = 0; start < bytes.length && !socket.destroyed; start += sliceBytes) {
        // No request is open that further bytes could answer.
        if (answer?.complete) return void socket.destroy();
        if (answer === undefined && headBytes > maxHeadBytes)
          return void request.destroy(createParserError('more informational responses than are read'));
        const slice = bytes.subarray(start, start + sliceBytes);
        headBytes += slice.length;
        feed.call(socket, slice);
      }
    };
    socket.off('data', feed as () => void).on('data', feedSlices);
    request.once('close', () => socket.off('data', feedSlices));
  });
}

/** Creates an error with a code like those of the parser. */
function createParserError(message: string): Error {
  return Object.assign(new Error(message), { code: 'HPE_RESPONSE_INVALID' });
}
