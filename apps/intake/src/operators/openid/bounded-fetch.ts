import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { Agent, type Dispatcher } from 'undici';

const budgetMs = 5_000;
const longestAnswerBytes = 64 * 1024;

export interface BoundedFetch {
  readonly fetch: CustomFetch;
  close(): Promise<void>;
}

/**
 * To the provider alone: its own host or one that is listed, no redirect followed, 5 s and 64 KiB for all of an answer.
 * @param issuer whose protocol is that of all addresses
 */
export function createBoundedFetch({
  issuer,
  hosts,
}: {
  readonly issuer: string;
  readonly hosts: readonly string[];
}): BoundedFetch {
  const own = new URL(issuer);
  const agent = new Agent({
    connections: 4,
    pipelining: 1,
    allowH2: false,
    // Said aloud, so that no variable of the environment can switch it off.
    connect: { timeout: budgetMs, rejectUnauthorized: true },
    headersTimeout: budgetMs,
    bodyTimeout: budgetMs,
    maxHeaderSize: 16 * 1024,
  });
  const assertOwn = ({ protocol, host }: URL) => {
    if (protocol === own.protocol && (host === own.host || hosts.includes(host))) return;
    throw new Error(`${protocol}//${host} is neither the provider's own host nor listed`);
  };
  return {
    async fetch(text, { method, headers, body }) {
      const url = new URL(text);
      assertOwn(url);
      const answer = await agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: method as Dispatcher.HttpMethod,
        headers: { ...headers, 'user-agent': 'Rubrica-Intake/1' },
        body: textOf(body),
        signal: AbortSignal.timeout(budgetMs),
      });
      return toResponse(answer);
    },
    close: () => agent.destroy(),
  };
}

function textOf(body: CustomFetchOptions['body']): string | null {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new Error('the provider is sent forms only');
}

async function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Response> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    // Leaving the loop destroys the stream and with it the connection.
    if (bytes > longestAnswerBytes) throw new Error(`the answer has more than ${longestAnswerBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  const type = headers['content-type'];
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), {
    status: statusCode,
    headers: typeof type === 'string' ? { 'content-type': type } : {},
  });
}
