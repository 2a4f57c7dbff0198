import type { Clock } from '@rubrica/process';
import { Agent, type Dispatcher } from 'undici';
import { readRetryAfterMs } from '../send-queue/retry-schedule.ts';
import type { OutgoingSms, SmsOutcome, SmsSender } from './sms-sender.ts';

export interface HttpSmsOptions {
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token: string | undefined;
  /** For everything: name, connection, TLS, sending, waiting, reading the answer's body. */
  readonly timeoutMs: number;
  readonly connections: number;
  readonly clock: Clock;
}

/** The rest of a longer answer is not read, and none of it is kept. */
const maxResponseBytes = 64 * 1024;

/**
 * What says "later" (README, "SMS provider"). Every other 4xx is final: a token or an address that is wrong is not
 * repaired within a code's minutes, and `FAILED` shows it to operators at once.
 */
const later = new Set([408, 425, 429]);

/** Sends by one POST to a provider, or to an adapter in front of one. Redirects are not followed. */
export function createHttpSms(options: HttpSmsOptions): SmsSender {
  const { timeoutMs } = options;
  const agent = new Agent({
    connections: options.connections,
    pipelining: 1,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16 * 1024,
  });
  return {
    async send(sms) {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const { origin, pathname, search } = new URL(options.url);
        const response = await agent.request({
          origin,
          path: `${pathname}${search}`,
          method: 'POST',
          headers: headersOf(sms, options.token),
          body: JSON.stringify({ id: sms.id, to: sms.to, text: sms.text }),
          signal,
        });
        const outcome = judge(response, options.clock());
        await drain(response.body).catch(() => undefined);
        return outcome;
      } catch (error) {
        return unreachable(signal.aborted ? 'no answer in time' : codeOf(error));
      }
    },
    close: () => agent.destroy(),
  };
}

function headersOf({ id }: OutgoingSms, token: string | undefined): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Rubrica-ApplicantMessageQueues/1',
    'idempotency-key': id,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
}

/** The status alone decides: once it is there, a body that never ends changes nothing. */
function judge({ statusCode, headers }: Dispatcher.ResponseData, now: Date): SmsOutcome {
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'ACCEPTED' };
  if (statusCode >= 400 && statusCode < 500 && !later.has(statusCode)) {
    return { outcome: 'REFUSED', error: `the SMS provider refused the message (${statusCode})` };
  }
  const header = headers['retry-after'];
  const retryAfterMs = readRetryAfterMs(Array.isArray(header) ? header[0] : header, now);
  return {
    outcome: 'UNAVAILABLE',
    error: `the SMS provider did not take the message (${statusCode})`,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Reads to the end, so that the connection can be used again, or closes it where the answer is too long. */
async function drain(body: Dispatcher.ResponseData['body']): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxResponseBytes) return;
  }
}

function unreachable(what: string): SmsOutcome {
  return {
    outcome: 'UNAVAILABLE',
    error: `the SMS provider could not be reached (${what})`,
  };
}

/** A system error's code; the words of an error may hold the address and its query. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : 'no connection';
}
