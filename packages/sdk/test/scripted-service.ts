import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Given {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** `reset`: takes the call and cuts the connection, so that nobody knows; `hang`: does not answer. */
export type Scripted = 'reset' | 'hang' | Given;

export interface ScriptedService extends AsyncDisposable {
  readonly url: string;
  /** Calls of operations, in order. */
  readonly calls: readonly Seen[];
  /** Calls for a token. */
  readonly tokenCalls: readonly Seen[];
  script(...answers: Scripted[]): void;
  scriptToken(...answers: Scripted[]): void;
  /** Answers those that hang. */
  answerHanging(answer: Given): void;
}

export const tokenLifeSeconds = 1_800;

/** A real server that answers what it is told, in order, and gives tokens of its own: `token-1`, `token-2`, … */
export async function scriptedService(): Promise<ScriptedService> {
  const calls: Seen[] = [];
  const tokenCalls: Seen[] = [];
  const scripted: Scripted[] = [];
  const tokens: Scripted[] = [];
  const hanging: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url: path = '', headers } = request;
    const isToken = path === '/oauth/token';
    const seen = { method, path, headers, body: Buffer.concat(chunks).toString() };
    (isToken ? tokenCalls : calls).push(seen);
    const answer = isToken ? (tokens.shift() ?? tokenAnswer(tokenCalls.length)) : scripted.shift();
    if (answer === 'hang') return void hanging.push(response);
    if (answer === 'reset') return void request.socket.resetAndDestroy();
    give(response, answer ?? { status: 500, body: { unscripted: path } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    tokenCalls,
    script: (...answers) => void scripted.push(...answers),
    scriptToken: (...answers) => void tokens.push(...answers),
    answerHanging: (answer) => {
      for (const response of hanging.splice(0)) give(response, answer);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function give(response: ServerResponse, { status = 200, headers, body }: Given): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

function tokenAnswer(count: number): Scripted {
  const scope = 'collector:write';
  return {
    body: { access_token: `token-${count}`, token_type: 'Bearer', expires_in: tokenLifeSeconds, scope },
  };
}

export function errorAnswer(status: number, code: string, headers: Record<string, string> = {}): Scripted {
  const detail = { code, message: `it is ${code}`, correctable: false, retryable: false };
  const body = {
    timestamp: '2026-11-20 19:22:40',
    status,
    error: 'Error',
    message: detail.message,
    path: '/',
    code,
    messages: [detail.message],
    errors: [detail],
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  };
  return { status, headers, body };
}
