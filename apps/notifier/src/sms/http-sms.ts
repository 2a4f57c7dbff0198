import type { IncomingMessage } from 'node:http';
import { createHttpClient } from '@rubrica/process/http';
import type { Clock } from '@rubrica/process/time';
import { readRetryAfterMs } from '../send-queue/retry-schedule.ts';
import type { OutgoingSms, SmsOutcome, SmsSender } from './sms-sender.ts';

export interface HttpSmsOptions {
  readonly url: string;
  /** Bearer token. */
  readonly token: string | undefined;
  /** Covers name resolution, connection, TLS, sending, waiting and reading the answer's body. */
  readonly timeoutMs: number;
  readonly connections: number;
  readonly clock: Clock;
}

/** Limit after which the rest of an answer is not read; none of it is stored. */
const maxResponseBytes = 64 * 1024;

/**
 * Statuses that mean "later" (README, "SMS provider"). Every other 4xx is final: a wrong token or address is not
 * repaired within a code's minutes, and `FAILED` shows it to operators immediately.
 */
const retryStatuses = new Set([408, 425, 429]);

/** Creates a sender that makes one POST to a provider, or to an adapter in front of one. Redirects are not followed. */
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
          headers: buildHeaders(sms, options.token),
          body: JSON.stringify({ id: sms.id, to: sms.to, text: sms.text }),
          signal,
        });
        const outcome = judge(response, options.clock());
        await drain(response).catch(() => undefined);
        return outcome;
      } catch (error) {
        return createUnreachable(signal.aborted ? 'no answer in time' : findErrorCode(error));
      }
    },
    close: async () => client.close(),
  };
}

function buildHeaders({ id }: OutgoingSms, token: string | undefined): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Rubrica-ApplicantMessageQueues/1',
    'idempotency-key': id,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
}

/** Judges the status alone: after it, an endless body changes nothing. */
function judge({ statusCode = 0, headers }: IncomingMessage, now: Date): SmsOutcome {
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'ACCEPTED' };
  if (statusCode >= 400 && statusCode < 500 && !retryStatuses.has(statusCode)) {
    return { outcome: 'REFUSED', error: `the SMS provider refused the message (${statusCode})` };
  }
  const retryAfterMs = readRetryAfterMs(headers['retry-after'], now);
  return {
    outcome: 'UNAVAILABLE',
    error: `the SMS provider did not take the message (${statusCode})`,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Reads to the end, so that the connection can be reused, or closes it where the answer is too long. */
async function drain(body: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxResponseBytes) return;
  }
}

function createUnreachable(what: string): SmsOutcome {
  return {
    outcome: 'UNAVAILABLE',
    error: `the SMS provider could not be reached (${what})`,
  };
}

/** Returns a system error's code; the message of an error may contain the address and its query. */
function findErrorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return findErrorCode(error.errors[0]);
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : 'no connection';
}
