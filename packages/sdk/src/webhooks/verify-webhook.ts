import { type Delivered, eventOf, type WebhookEvent } from './event-of.ts';
import { isSignedBy, signaturesOf } from './signature.ts';

export interface WebhookCall {
  /** The body as it came, text or bytes: parsed and written again it is another one. */
  readonly payload: string | Uint8Array;
  /** Of Node.js, of fetch, or a plain object. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `whsec_…`; the old and the new one while a secret is being replaced. */
  readonly secrets?: readonly string[];
  /** `whpk_…`, of partners whose calls are signed with a key pair. */
  readonly publicKeys?: readonly string[];
  /** That a call may be old, and that two clocks may differ; 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; the present. */
  readonly now?: number;
}

export type WebhookFault =
  | 'MISSING_HEADER'
  | 'BAD_TIMESTAMP'
  | 'TOO_OLD'
  | 'TOO_NEW'
  | 'WRONG_SIGNATURE'
  | 'BAD_BODY';

/** The call is not to be believed: answer 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/**
 * Judges a call by the Standard Webhooks specification and gives its event. Handle each `id` once: a call whose
 * answer was lost comes again.
 *
 * @throws WebhookError where it is not from Rubrica, altered or not fresh; TypeError for a secret that is none
 */
export async function verifyWebhook(call: WebhookCall): Promise<WebhookEvent> {
  const id = headerOf(call, 'webhook-id');
  const timestamp = headerOf(call, 'webhook-timestamp');
  const signatures = signaturesOf(headerOf(call, 'webhook-signature'));
  assertFresh(timestamp, call);
  const payload = typeof call.payload === 'string' ? new TextEncoder().encode(call.payload) : call.payload;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), payload);
  const keys = [...(call.secrets ?? []), ...(call.publicKeys ?? [])];
  const verdicts = await Promise.all(keys.map((key) => isSignedBy(key, signed, signatures)));
  if (!verdicts.includes(true)) throw new WebhookError('WRONG_SIGNATURE', 'none of the signatures is right');
  const delivered: Delivered = { id, timestamp: new Date(Number(timestamp) * 1_000) };
  const event = eventOf(delivered, payload, findHeader(call, 'x-rubrica-code'));
  if (event === undefined) {
    throw new WebhookError('BAD_BODY', 'the body is signed, but no JSON object');
  }
  return event;
}

function headerOf(call: WebhookCall, name: string): string {
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

/** A whole second is the finest a timestamp tells, so the bound is compared in whole seconds as well. */
function assertFresh(timestamp: string, { toleranceSeconds = 300, now = Date.now() }: WebhookCall): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookError('BAD_TIMESTAMP', 'webhook-timestamp is not a number of seconds since 1970');
  }
  const age = Math.floor(now / 1_000) - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookError('TOO_OLD', `signed ${age} s ago`);
  if (age < -toleranceSeconds) throw new WebhookError('TOO_NEW', `signed ${-age} s ahead of this clock`);
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}
