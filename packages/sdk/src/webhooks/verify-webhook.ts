import type { WebhookBodies } from '../api.ts';
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

/** How each family calls its request. */
export type IdentifierName =
  | 'linkedPartnerRequestId'
  | 'requestId'
  | 'transactionalRequestId'
  | 'simplifiedRequestId'
  | 'signatureRequestId';

interface Delivered {
  /** The same at every attempt of an event. */
  readonly id: string;
  /** Of this attempt. */
  readonly timestamp: Date;
}

/** The body names the request as its family does; `requestId` is the same whatever the name. */
interface Failed<Type extends 'request.error' | 'request.refused'> extends Delivered {
  readonly type: Type;
  readonly requestId: string;
  readonly body: Omit<WebhookBodies[Type], IdentifierName> & { readonly [Name in IdentifierName]?: string };
}

/** Told apart by what was signed, never by the header `x-rubrica-event`, which is not. */
export type WebhookEvent =
  | (Delivered & { readonly type: 'certificate.issued'; readonly body: WebhookBodies['certificate.issued'] })
  | Failed<'request.error'>
  | Failed<'request.refused'>
  /** A test call: answer 2xx and do nothing. */
  | (Delivered & { readonly type: 'ping'; readonly body: Record<string, never> });

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
  return eventOf({ id, timestamp: new Date(Number(timestamp) * 1_000) }, payload);
}

function headerOf({ headers }: WebhookCall, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : plainHeader(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookError('MISSING_HEADER', `the header ${name} is missing`);
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

function eventOf(delivered: Delivered, payload: Uint8Array): WebhookEvent {
  const body = parse(payload);
  if (Object.keys(body).length === 0) return { ...delivered, type: 'ping', body: {} };
  if ('file' in body) return { ...delivered, type: 'certificate.issued', body } as unknown as WebhookEvent;
  const type = 'status' in body ? 'request.refused' : 'request.error';
  const requestId = Object.entries(body).find(([name]) => /^requestId$|RequestId$/.test(name))?.[1];
  return { ...delivered, type, requestId, body } as unknown as WebhookEvent;
}

function parse(payload: Uint8Array): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(payload));
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new WebhookError('BAD_BODY', 'the body is signed, but no JSON object');
}
