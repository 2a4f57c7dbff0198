import type { IncomingMessage } from 'node:http';
import { type Clock, createHttpClient } from '@rubrica/process';
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
  const client = createHttpClient({ connections: options.connections });
  return {
    async send(sms) {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const response = await client.send({
          url: new URL(options.url),
          method: 'POST',
          headers: headersOf(sms, options.token),
          body: JSON.stringify({ id: sms.id, to: sms.to, text: sms.text }),
          signal,
        });
        const outcome = judge(response, options.clock());
        await drain(response).catch(() => undefined);
        return outcome;
      } catch (error) {
        return unreachable(signal.aborted ? 'no answer in time' : codeOf(error));
      }
    },
    close: async () => client.close(),
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
function judge({ statusCode = 0, headers }: IncomingMessage, now: Date): SmsOutcome {
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'ACCEPTED' };
  if (statusCode >= 400 && statusCode < 500 && !later.has(statusCode)) {
    return { outcome: 'REFUSED', error: `the SMS provider refused the message (${statusCode})` };
  }
  const retryAfterMs = readRetryAfterMs(headers['retry-after'], now);
  return {
    outcome: 'UNAVAILABLE',
    error: `the SMS provider did not take the message (${statusCode})`,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Reads to the end, so that the connection can be used again, or closes it where the answer is too long. */
async function drain(body: IncomingMessage): Promise<void> {
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
