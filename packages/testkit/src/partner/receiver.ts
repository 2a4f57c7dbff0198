import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

/** Reaction to a call. `hang` accepts it and never answers; `reset` cuts the connection. */
export type Answer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly afterMs?: number }
  | 'hang'
  | 'reset';

export interface Delivery {
  /** `webhook-id`: the same for all attempts of an event. */
  readonly id: string;
  /** `x-rubrica-event`. */
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The signed bytes. */
  readonly raw: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Undefined if the signature is correct, else its fault. */
  readonly signatureFault: string | undefined;
  readonly answered: Answer;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** Every call, in the order of arrival, including those answered with a fault. */
  readonly deliveries: readonly Delivery[];
  /** Sets the answers to the next calls, in order; afterwards 204 again. */
  script(...answers: Answer[]): void;
  /** Decides per call; undefined leaves it to the script. */
  decide(rule: ((delivery: Omit<Delivery, 'answered'>) => Answer | undefined) | undefined): void;
  /** Resolves with the first delivery that matches. */
  next(fits: (delivery: Delivery) => boolean, deadlineMs?: number): Promise<Delivery>;
}

/** Starts a partner's webhook address: a real HTTP server on loopback. Without `secret` signatures are not checked. */
export async function startReceiver(secret?: string): Promise<Receiver> {
  const webhook = secret === undefined ? undefined : new Webhook(secret);
  const deliveries: Delivery[] = [];
  const scripted: Answer[] = [];
  const waiters = new Set<(delivery: Delivery) => void>();
  let rule: ((delivery: Omit<Delivery, 'answered'>) => Answer | undefined) | undefined;
  const server = createServer(async (request, response) => {
    const delivery = await readDelivery(request, webhook);
    const answered = rule?.(delivery) ?? scripted.shift() ?? { status: 204 };
    const kept = { ...delivery, answered };
    deliveries.push(kept);
    for (const hear of waiters) hear(kept);
    await sendAnswer(answered, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    deliveries,
    script: (...answers) => void scripted.push(...answers),
    decide: (next) => {
      rule = next;
    },
    next: (fits, deadlineMs = 30_000) => {
      const there = deliveries.find(fits);
      return there ? Promise.resolve(there) : awaitDelivery(waiters, fits, deadlineMs);
    },
    [Symbol.asyncDispose]: () => close(server),
  };
}

/**
 * Waits for a notification of each arrival: many waiting tests need no polling, which would also disturb measurements.
 */
function awaitDelivery(
  waiters: Set<(delivery: Delivery) => void>,
  fits: (delivery: Delivery) => boolean,
  deadlineMs: number,
): Promise<Delivery> {
  const { promise, resolve, reject } = Promise.withResolvers<Delivery>();
  const hear = (delivery: Delivery) => {
    if (fits(delivery)) resolve(delivery);
  };
  waiters.add(hear);
  const failure = new Error(`not within ${deadlineMs} ms: a webhook delivery`);
  const timer = setTimeout(() => reject(failure), deadlineMs);
  return promise.finally(() => {
    clearTimeout(timer);
    waiters.delete(hear);
  });
}

async function readDelivery(
  request: IncomingMessage,
  webhook: Webhook | undefined,
): Promise<Omit<Delivery, 'answered'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const raw = Buffer.concat(chunks).toString('utf8');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    id: headers['webhook-id'] ?? '',
    type: headers['x-rubrica-event'] ?? '',
    headers,
    raw,
    body: parse(raw),
    signatureFault: webhook === undefined ? undefined : findSignatureFault(webhook, raw, headers),
  };
}

function parse(raw: string): Record<string, unknown> {
  try {
    return JSON.parse(raw) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function findSignatureFault(
  webhook: Webhook,
  raw: string,
  headers: Record<string, string>,
): string | undefined {
  try {
    webhook.verify(raw, headers);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function sendAnswer(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (answer === 'hang') return;
  if (answer === 'reset') return void request.socket.resetAndDestroy();
  if (answer.afterMs !== undefined) await delay(answer.afterMs);
  response.writeHead(answer.status, answer.headers).end();
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
