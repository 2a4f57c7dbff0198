import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';

export interface BatchLine {
  readonly line: number;
  readonly status: number;
  readonly retryAfter?: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A batch whose body is sent by hand, and whose answers are read one by one, or not at all. */
export interface BatchCall {
  /** Resolves when the connection wants more. */
  send(piece: string | Buffer): Promise<void>;
  end(): void;
  /** Breaks the connection off. */
  abort(): void;
  readonly response: Promise<IncomingMessage>;
  /** The next answer; undefined at their end. Rejects where they break off. */
  next(): Promise<BatchLine | undefined>;
  rest(): Promise<BatchLine[]>;
}

export interface BatchOptions {
  readonly token: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function openBatch(url: string, { token, query = '', headers = {} }: BatchOptions): BatchCall {
  const outgoing = request(`${url}/collector/linked-partner/batch${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson', ...headers },
    agent: false,
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', resolve);
  });
  response.catch(() => undefined);
  outgoing.on('error', () => undefined);
  let lines: AsyncIterator<string> | undefined;
  const next = async (): Promise<BatchLine | undefined> => {
    const incoming = await response;
    lines ??= createInterface({ input: incoming })[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    if (done && !incoming.complete) throw new Error('the answers broke off');
    return done ? undefined : (JSON.parse(value) as BatchLine);
  };
  return {
    async send(piece) {
      if (outgoing.write(piece)) return;
      const stop = new AbortController();
      const { signal } = stop;
      const waits = ['drain', 'close'].map((event) => once(outgoing, event, { signal }));
      await Promise.race(waits);
      void Promise.allSettled(waits);
      stop.abort();
    },
    end: () => void outgoing.end(),
    abort: () => void outgoing.destroy(),
    response,
    next,
    async rest() {
      const found: BatchLine[] = [];
      for (let one = await next(); one !== undefined; one = await next()) found.push(one);
      return found;
    },
  };
}
