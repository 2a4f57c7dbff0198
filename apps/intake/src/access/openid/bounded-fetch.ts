import type { IncomingMessage } from 'node:http';
import { createHttpClient } from '@rubrica/process/http';
import type { CustomFetch, CustomFetchOptions } from 'openid-client';

const budgetMs = 5_000;
const maxAnswerBytes = 64 * 1024;

export interface BoundedFetch {
  readonly fetch: CustomFetch;
  close(): Promise<void>;
}

/**
 * Creates a fetch for the provider alone. It accepts the provider's own host or a listed one, follows no
 * redirect, and allows 5 s and 64 KiB for a whole answer.
 * @param issuer issuer whose protocol all addresses must have
 */
export function createBoundedFetch({
  issuer,
  hosts,
}: {
  readonly issuer: string;
  readonly hosts: readonly string[];
}): BoundedFetch {
  const issuerUrl = new URL(issuer);
  const client = createHttpClient({ connections: 4 });
  const assertOwn = ({ protocol, host }: URL) => {
    if (protocol === issuerUrl.protocol && (host === issuerUrl.host || hosts.includes(host))) return;
    throw new Error(`${protocol}//${host} is neither the provider's own host nor listed`);
  };
  return {
    async fetch(text, { method, headers, body }) {
      const url = new URL(text);
      assertOwn(url);
      const answer = await client.send({
        url,
        method,
        headers: { ...headers, 'user-agent': 'Rubrica-Intake/1' },
        body: toText(body),
        signal: AbortSignal.timeout(budgetMs),
      });
      return toResponse(answer);
    },
    close: async () => client.close(),
  };
}

function toText(body: CustomFetchOptions['body']): string | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new Error('the provider is sent forms only');
}

async function toResponse(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length;
    // Leaving the loop destroys the stream and its connection.
    if (bytes > maxAnswerBytes) throw new Error(`the answer has more than ${maxAnswerBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  const { statusCode, headers } = answer;
  const type = headers['content-type'];
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), {
    status: statusCode,
    headers: type === undefined ? {} : { 'content-type': type },
  });
}
