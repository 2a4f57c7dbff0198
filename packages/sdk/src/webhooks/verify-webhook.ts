import { type Delivered, parseWebhookEvent, type WebhookEvent } from './parse-webhook-event.ts';
import { isSignedBy, parseSignatureHeader } from './signature.ts';

export interface WebhookCall {
  /** Body exactly as received, text or bytes: a parsed and serialised body differs. */
  readonly payload: string | Uint8Array;
  /** Headers of Node.js, of fetch, or a plain object. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `whsec_…` secrets; the old and the new one while a secret is being replaced. */
  readonly secrets?: readonly string[];
  /** `whpk_…` keys, for partners whose calls are signed with a key pair. */
  readonly publicKeys?: readonly string[];
  /** Maximum age of a call, and difference of two clocks; default 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; default: the present. */
  readonly now?: number;
}

export type WebhookFault =
  | 'MISSING_HEADER'
  | 'BAD_TIMESTAMP'
  | 'TOO_OLD'
  | 'TOO_NEW'
  | 'WRONG_SIGNATURE'
  | 'BAD_BODY';

/** The call must not be trusted: answer 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/**
 * Verifies a call by the Standard Webhooks specification and returns its event. Handle each `id` once: a call whose
 * answer was lost is sent again.
 *
 * @throws WebhookError if it is not from Rubrica, altered or not fresh; TypeError for an invalid secret
 */
export async function verifyWebhook(call: WebhookCall): Promise<WebhookEvent> {
  const id = readHeader(call, 'webhook-id');
  const timestamp = readHeader(call, 'webhook-timestamp');
  const signatures = parseSignatureHeader(readHeader(call, 'webhook-signature'));
  assertFresh(timestamp, call);
  const payload = typeof call.payload === 'string' ? new TextEncoder().encode(call.payload) : call.payload;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), payload);
  const keys = [...(call.secrets ?? []), ...(call.publicKeys ?? [])];
  const verdicts = await Promise.all(keys.map((key) => isSignedBy(key, signed, signatures)));
  if (!verdicts.includes(true)) throw new WebhookError('WRONG_SIGNATURE', 'none of the signatures is right');
  const delivered: Delivered = { id, timestamp: new Date(Number(timestamp) * 1_000) };
  const event = parseWebhookEvent(delivered, payload, findHeader(call, 'x-rubrica-code'));
  if (event === undefined) {
    throw new WebhookError('BAD_BODY', 'the body is signed, but no JSON object');
  }
  return event;
}

function readHeader(call: WebhookCall, name: string): string {
  const value = findHeader(call, name);
  if (value !== undefined) return value;
  throw new WebhookError('MISSING_HEADER', `the header ${name} is missing`);
}

function findHeader({ headers }: WebhookCall, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : plainHeader(headers, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function plainHeader(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
}

/** Checks the age. A timestamp has whole seconds, so the limit is compared in whole seconds as well. */
function assertFresh(timestamp: string, { toleranceSeconds = 300, now = Date.now() }: WebhookCall): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookError('BAD_TIMESTAMP', 'webhook-timestamp is not a number of seconds since 1970');
  }
  const age = Math.floor(now / 1_000) - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookError('TOO_OLD', `signed ${age} s ago`);
  if (age < -toleranceSeconds) throw new WebhookError('TOO_NEW', `signed ${-age} s ahead of this clock`);
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}
